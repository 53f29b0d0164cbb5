import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AgentCard } from '@a2a-js/sdk';
import { DefaultRequestHandler } from '@a2a-js/sdk/server';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startStorageEmulator, type StorageEmulator } from '../../emulators/storage/start.ts';
import { callOf, said } from '../task-store/tasks.ts';

/** Inside the project, so that `holdfast/task-store` means this very package. */
let folder: string;
let emulator: StorageEmulator;
beforeAll(async () => {
  folder = await mkdtemp(join(import.meta.dirname, 'example-'));
  emulator = await startStorageEmulator();
  emulator.buckets.create('my-tasks');
  // Where Google's own client looks when it is told no address.
  vi.stubEnv('STORAGE_EMULATOR_HOST', emulator.url);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await emulator.close();
  await rm(folder, { recursive: true });
});

test('the server of the page keeps its tasks in the bucket', async () => {
  const page = await readFile(new URL('../../docs/task-store.md', import.meta.url), 'utf8');
  const [server = '', executor = ''] = [...page.matchAll(/```ts\n(.*?)```/gs)].map(
    ([, code]) => code,
  );
  expect(
    server
      .trimEnd()
      .split('\n')
      .filter((line) => line !== ''),
  ).toHaveLength(9);
  await writeFile(join(folder, 'server.ts'), server);
  await writeFile(join(folder, 'my-executor.ts'), executor);
  const card = AgentCard.fromJSON({ name: 'theirs', capabilities: { pushNotifications: true } });
  await writeFile(join(folder, 'card.ts'), `export const card = ${JSON.stringify(card)};`);
  const module: unknown = await import(join(folder, 'server.ts'));
  // A module has no prototype.
  const handler =
    typeof module === 'object' && module !== null && 'handler' in module
      ? module.handler
      : undefined;
  if (!(handler instanceof DefaultRequestHandler)) throw new TypeError('no handler');
  const message = { ...said('m-1'), contextId: 'c-1' };
  const request = { tenant: '', message, configuration: undefined, metadata: undefined };
  const task = await handler.sendMessage(request, callOf());
  if (!('status' in task)) throw new TypeError('no task');
  expect(new Set(emulator.buckets.get('my-tasks').objects.keys())).toEqual(
    new Set([
      `contexts/c-1/${task.id}/task.json`,
      'contexts/c-1/active.json',
      `tasks/${task.id}/contextId.txt`,
    ]),
  );
  expect(await handler.getTask({ tenant: '', id: task.id }, callOf())).toEqual(task);
});

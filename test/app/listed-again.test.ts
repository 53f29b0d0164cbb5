import { expect, it } from 'vitest';
import { defineAgent } from '../../shared/agent/index.ts';
import { isRefused } from '../../shared/domain/refusal.ts';
import type { Backend, Row } from '../../shared/ports/backend.ts';
import { KeyMissing } from '../../shared/ports/faults.ts';
import { memorySealer } from '../../testing/memory-sealer.ts';
import { seededIds } from '../../testing/seeded-ids.ts';
import { World, type WorldOptions } from './world.ts';

const agent = defineAgent({
  name: 'listed',
  description: 'Says one word.',
  async run(ctx) {
    await ctx.artifact({ name: 'a', parts: 'a' });
    return 'done';
  },
});

async function listed(world: World) {
  const answer = await world.service.list(world.principal, { includeArtifacts: true });
  if (isRefused(answer)) throw new Error(answer.message);
  return answer.tasks.map(({ history, metadata }) => ({
    said: history.length,
    unreadable: metadata?.['contentUnreadable'] === true,
  }));
}

async function finished(options: WorldOptions) {
  const world = new World(agent, options);
  const { taskId } = await world.send('hello');
  await world.work();
  expect(await listed(world)).toEqual([{ said: 2, unreadable: false }]);
  return { world, taskId };
}

it.each<[string, (fields: Row['fields']) => Row['fields']]>([
  [
    'a byte of its content',
    ({ content, ...rest }) => {
      const changed = Uint8Array.from(content instanceof Uint8Array ? content : []);
      changed[20] = (changed[20] ?? 0) ^ 1;
      return { ...rest, content: changed };
    },
  ],
  ['its state', (fields) => ({ ...fields, state: 'FAILED' })],
  ['its agent', (fields) => ({ ...fields, agent: 'other' })],
  ['its context', (fields) => ({ ...fields, contextId: 'other' })],
  ['its pages', (fields) => ({ ...fields, pages: [{ object: 'x', bytes: 1 }] })],
])('a row that a list has shown is not shown again once %s is another', async (_, change) => {
  const changing = { on: false };
  const wrap = (backend: Backend): Backend => ({
    read: (...given) => backend.read(...given),
    count: (...given) => backend.count(...given),
    follow: (...given) => backend.follow(...given),
    watch: (...given) => backend.watch(...given),
    commit: (...given) => backend.commit(...given),
    close: () => backend.close(),
    async query(...given) {
      const rows = await backend.query(...given);
      return changing.on ? rows.map((row) => ({ ...row, fields: change(row.fields) })) : rows;
    },
  });
  const { world } = await finished({ wrap });
  changing.on = true;
  expect(await listed(world)).toEqual([{ said: 0, unreadable: true }]);
  changing.on = false;
  expect(await listed(world)).toEqual([{ said: 2, unreadable: false }]);
});

it('a list that wants more or less of a task than the one before is given just that', async () => {
  const { world, taskId } = await finished({});
  const listedWith = async (wanted: { historyLength?: number; includeArtifacts: boolean }) => {
    const answer = await world.service.list(world.principal, wanted);
    if (isRefused(answer)) throw new Error(answer.message);
    const [task] = answer.tasks;
    return { artifacts: task?.artifacts.length, history: task?.history.length };
  };
  const bare = { historyLength: 0, includeArtifacts: false };
  for (let time = 0; time < 2; time += 1) {
    expect(await listedWith({ includeArtifacts: true })).toEqual({ artifacts: 1, history: 2 });
    expect(await listedWith(bare)).toEqual({ artifacts: 0, history: 0 });
    expect(await listedWith({ ...bare, historyLength: 1 })).toEqual({ artifacts: 0, history: 1 });
  }
  expect((await world.get(taskId)).artifacts).toHaveLength(1);
});

it('what a list has opened is kept no longer than its key', async () => {
  const below = memorySealer(seededIds(7));
  const missing = { on: false };
  const sealer = {
    ...below,
    unwrap: (wrapped: Uint8Array, owner: string) =>
      missing.on ? Promise.reject(new KeyMissing('a key')) : below.unwrap(wrapped, owner),
  };
  const { world, taskId } = await finished({ sealer });
  missing.on = true;
  expect(await listed(world)).toEqual([{ said: 2, unreadable: false }]);
  world.app.keys.forget(taskId);
  expect(await listed(world)).toEqual([{ said: 0, unreadable: true }]);
});

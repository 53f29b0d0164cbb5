import { rmSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { composeApp } from '../../functions/compose.ts';
import { publish } from '../../functions/load-agents.ts';
import { openWorkspaces } from '../../functions/open-workspaces.ts';
import type { App } from '../../shared/app/app.ts';
import { purgeRun } from '../../shared/app/privacy/purge-run.ts';
import { tightenCeiling } from '../../shared/app/privacy/tighten-ceiling.ts';
import { createTaskService } from '../../shared/app/tasks/task-service.ts';
import { handleWakeUp } from '../../shared/app/worker/handle-wake-up.ts';
import { defineAgent } from '../../shared/agent/index.ts';
import { agentName } from '../../shared/domain/ids.ts';
import { defaults } from '../../shared/domain/settings.ts';
import { type Embedded, openEmbedded } from '../../shared/embedded/index.ts';
import { write } from '../app/files-world.ts';
import { markingRedactor } from '../doubles/marking-redactor.ts';
import { alone } from '../../testing/no-remotes.ts';
import { inflated } from '../files/inflated.ts';

const CANARY = 'kanarienvogel-2207';

/** In a file's text, its name and the name of its folder; and never a word about it. */
const agent = defineAgent({
  name: 'keeper',
  description: 'Writes what it is told.',
  files: { form: 'both' },
  run(ctx) {
    const { folder } = ctx.files;
    write(folder, 'shared.txt', `shared by all ${'x'.repeat(2_000)}`);
    write(folder, `${ctx.taskId}.txt`, 'of this task');
    if (ctx.text.includes('hide')) {
      write(folder, `text.txt`, `${CANARY} `.repeat(2_000));
      write(folder, `${CANARY}.txt`, 'a name');
      write(folder, `${CANARY}/file.txt`, 'a folder');
    }
    if (ctx.text.includes('clean'))
      for (const path of [`text.txt`, `${CANARY}.txt`, CANARY]) remove(folder, path);
    if (ctx.text.includes('ask') && ctx.history.length === 0) ctx.ask('And now?');
    if (ctx.text.includes('fail')) throw new Error('failed');
    return 'done';
  },
});

const remove = (folder: string, path: string): void =>
  rmSync(join(folder, path), { recursive: true, force: true });

let folder: string;
let embedded: Embedded;
let app: App;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'holdfast-forensic-'));
  embedded = openEmbedded({ folder, log: { write: () => undefined }, settings: defaults });
  const workspaces = openWorkspaces({ ...embedded.ports, scratch: join(folder, 'scratch') });
  app = composeApp(
    { ...embedded.ports, redactor: markingRedactor, ...alone, workspaces },
    publish([agent], 'test'),
    { idempotency: 'always', installation: { answer: 'metadata', audit: 'metadata' } },
  );
  embedded.queue.start((wakeUp) => handleWakeUp(app, wakeUp));
});

afterEach(async () => {
  await embedded.close();
  await rm(folder, { recursive: true, force: true });
});

const name = agentName('keeper');
if (name === undefined) throw new TypeError('keeper');
const principal = { agent: name, tenant: '', owner: 'ada', authenticated: true };

async function told(text: string, taskId?: string): Promise<string> {
  const service = createTaskService(app);
  const message = { messageId: crypto.randomUUID(), role: 'user', parts: [{ text }] } as const;
  const to = taskId === undefined ? { contextId: 'ctx' } : { taskId };
  const sent = await service.send(principal, { message, ...to });
  if (sent.kind !== 'accepted') throw new Error(`not accepted: ${JSON.stringify(sent)}`);
  await service.settled(
    principal,
    sent.taskId,
    { afterRevision: sent.revision },
    new AbortController().signal,
  );
  await embedded.queue.idle();
  return sent.taskId;
}

/** Where the word lies below the data folder: as it is, in an entry of a pack, in an archive. */
async function placesOf(word: string): Promise<readonly string[]> {
  const places: string[] = [];
  for (const path of await readdir(folder, { recursive: true })) {
    if (path.includes(word)) places.push(`name ${path}`);
    if (!(await stat(join(folder, path))).isFile()) continue;
    const body = await readFile(join(folder, path));
    if (body.includes(word)) places.push(path);
    if (path.endsWith('.gz') && gunzipSync(body).includes(word)) places.push(`in ${path}`);
    for (const entry of inflated([{ name: path, body }]))
      if (entry.includes(word)) places.push(`entry of ${path}`);
  }
  return places;
}

describe('what a task left in its files', () => {
  it('is found in packs and archives as long as it is there: the search works', async () => {
    await told('hide');
    const places = (await placesOf(CANARY)).join('\n');
    expect(places).toMatch(/^entry of .*\.pack$/m);
    expect(places).toMatch(/^in .*workspace\.tar\.gz$/m);
    expect(places).toMatch(/^name .*scratch/m);
  });

  it('is in no object, no entry of a pack, no archive and no folder when its task is purged', async () => {
    const first = await told('go');
    const second = await told('hide');
    const third = await told('clean');
    expect(await purgeRun(app, second)).toBe('purged');
    expect(await placesOf(CANARY)).toEqual([]);
    // Purges follow each other: what is left of the others is whole.
    expect(await purgeRun(app, first)).toBe('purged');
    const fourth = await told('go');
    expect((await placesOf(third)).join()).toContain(fourth);
  });

  it('stays with a later task that still has it, and goes with the last that does', async () => {
    const first = await told('hide');
    const second = await told('go');
    expect(await purgeRun(app, first)).toBe('purged');
    expect(await placesOf(CANARY)).not.toEqual([]);
    expect(await purgeRun(app, second)).toBe('purged');
    expect(await placesOf(CANARY)).toEqual([]);
  });

  it.each(['hide fail', 'hide ask'])('of a task that is told to %s, goes with it', async (text) => {
    await told('go');
    const second = await told(text);
    expect(await purgeRun(app, second)).toBe('purged');
    expect(await placesOf(CANARY)).toEqual([]);
  });

  it.each([{ answer: 'redacted' }, { answer: 'none' }, { archive: 'off' }] as const)(
    'goes when its ceiling tightens to %j, with the files of the task that began with it',
    async (wanted) => {
      const first = await told('go');
      const second = await told('hide');
      const third = await told('go');
      await tightenCeiling(app, second, wanted);
      await embedded.queue.idle();
      expect(await placesOf(CANARY)).toEqual([]);
      expect((await placesOf(third)).filter((place) => place.includes('.pack'))).toEqual([]);
      expect((await placesOf(first)).join()).toContain('.pack');
    },
  );

  it('leaves nothing of the context when its last task is purged', async () => {
    const tasks = [await told('hide'), await told('clean'), await told('hide ask')];
    for (const taskId of tasks) expect(await purgeRun(app, taskId)).toBe('purged');
    const objects = await embedded.ports.blobs.list('', 100);
    expect(objects).toEqual([]);
    expect(await placesOf(CANARY)).toEqual([]);
  });
});

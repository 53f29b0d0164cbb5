import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { composeApp } from '../../functions/compose.ts';
import { publish } from '../../functions/load-agents.ts';
import { defineAgent } from '../../shared/agent/index.ts';
import type { App } from '../../shared/app/app.ts';
import { runDoc } from '../../shared/app/records/documents.ts';
import { handleWakeUp } from '../../shared/app/worker/handle-wake-up.ts';
import { purgeRun } from '../../shared/app/privacy/purge-run.ts';
import { createTaskService } from '../../shared/app/tasks/task-service.ts';
import { tightenCeiling } from '../../shared/app/privacy/tighten-ceiling.ts';
import { defaults } from '../../shared/domain/settings.ts';
import { type Embedded, openEmbedded } from '../../shared/embedded/index.ts';
import { markingRedactor } from '../doubles/marking-redactor.ts';
import { alone } from '../../testing/no-remotes.ts';

/**
 * What a client wrote, an agent answered, a file was called, an error said: none of it may be
 * found.
 */
const CANARY = 'kanarienvogel-7431';
/** A client may name its context and its webhook after a person. */
const CONTEXT = 'context-of-ada-lovelace';
const HOOK = 'webhook-of-ada-lovelace';

const agent = defineAgent({
  name: 'leaky',
  description: 'Repeats what it hears in every place.',
  async run(ctx) {
    await ctx.status(`working on ${CANARY}`);
    await ctx.artifact({
      artifactId: 'small',
      name: CANARY,
      parts: [{ text: CANARY, filename: `${CANARY}.txt` }, { data: { [CANARY]: CANARY } }],
    });
    await ctx.artifact({ artifactId: 'large', parts: `${CANARY} `.repeat(20_000) });
    if (ctx.text.includes('ask') && ctx.history.length === 0) ctx.ask(`which ${CANARY}?`);
    if (ctx.text.includes('throw')) throw new Error(CANARY);
    return `done ${CANARY}`;
  },
});

let folder: string;
let embedded: Embedded;
let app: App;
const lines: string[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'holdfast-forensic-'));
  lines.length = 0;
  const log = { write: (...line: readonly unknown[]) => void lines.push(JSON.stringify(line)) };
  embedded = openEmbedded({ folder, log, settings: { ...defaults, progressDelay: 5 } });
  app = composeApp(
    { ...embedded.ports, redactor: markingRedactor, ...alone },
    publish([agent], 'test'),
    {
      idempotency: 'always',
      installation: { answer: 'metadata', audit: 'metadata' },
    },
  );
  embedded.queue.start((wakeUp) => {
    lines.push(JSON.stringify(wakeUp));
    return handleWakeUp(app, wakeUp);
  });
});

afterEach(() => rm(folder, { recursive: true }));

/** A task that came to rest, with everything that a run can store. */
async function rested(text: string): Promise<string> {
  const service = createTaskService(app);
  const principal = { agent: agent.name, tenant: '', owner: '', authenticated: false };
  const message = {
    messageId: app.ids.uuid(),
    role: 'user' as const,
    parts: [{ text: `${text} ${CANARY}` }],
  };
  const contextId = CONTEXT;
  const webhook = {
    id: HOOK,
    version: '1.0' as const,
    url: `https://${CANARY}.example/`,
    token: CANARY,
    authentication: { scheme: 'Bearer', credentials: CANARY },
  };
  const sent = await service.send(principal, { message, contextId, webhook, blocking: true });
  if (sent.kind !== 'accepted') throw new Error(sent.kind);
  await service.settled(
    principal,
    sent.taskId,
    { afterRevision: sent.revision },
    new AbortController().signal,
  );
  await embedded.queue.idle();
  return sent.taskId;
}

/** Every byte below the folder. */
async function everything(): Promise<Buffer> {
  const names = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = names.filter((entry) => entry.isFile());
  const bodies = await Promise.all(
    files.map((entry) => readFile(join(entry.parentPath, entry.name))),
  );
  return Buffer.concat([
    Buffer.from(files.map((entry) => join(entry.parentPath, entry.name)).join('\n')),
    ...bodies,
  ]);
}

const wrappedKeyOf = async (id: string): Promise<Buffer> =>
  Buffer.from((await app.store.get(runDoc(id)))?.wrappedKey ?? []);

describe('what is left on the disk (G7, G9)', () => {
  it('a purge leaves no word in clear, no sealed byte of the task, and no key', async () => {
    const id = await rested('please');
    const key = await wrappedKeyOf(id);
    expect((await everything()).includes(CANARY)).toBe(true);
    expect(await purgeRun(app, id)).toBe('purged');
    await embedded.close();
    const left = await everything();
    expect(left.includes(CANARY)).toBe(false);
    expect(left.includes(key)).toBe(false);
    expect(left.includes(id)).toBe(false);
    expect(left.includes(CONTEXT)).toBe(false);
    expect(left.includes(HOOK)).toBe(false);
  });

  it('a scrub leaves the states, and neither a word in clear nor the key that opened them', async () => {
    const id = await rested('ask');
    const key = await wrappedKeyOf(id);
    expect(await tightenCeiling(app, id, { answer: 'none' })).toBe('failed');
    await embedded.queue.idle();
    await embedded.close();
    const left = await everything();
    expect(left.includes(id)).toBe(true);
    expect(left.includes(CANARY)).toBe(false);
    expect(left.includes(key)).toBe(false);
  });
});

describe('what is said on the way', () => {
  it.each(['please', 'ask', 'throw'])(
    'no log line and no wake-up of a task (%s) holds what was written',
    async (text) => {
      await rested(text);
      expect(lines.length).toBeGreaterThan(2);
      expect(lines.join('\n')).not.toContain(CANARY);
      await embedded.close();
    },
  );

  it('in the store itself nothing is in clear, before any purge: only the archive copy is', async () => {
    const id = await rested('please');
    await embedded.close();
    for (const file of ['store.sqlite', 'objects.index.sqlite']) {
      expect(
        (await readFile(join(folder, file)).catch(() => Buffer.alloc(0))).includes(CANARY),
        file,
      ).toBe(false);
    }
    const names = await readdir(join(folder, 'objects'), { recursive: true, withFileTypes: true });
    const plain: string[] = [];
    for (const entry of names.filter((each) => each.isFile())) {
      if ((await readFile(join(entry.parentPath, entry.name))).includes(CANARY))
        plain.push(entry.name);
    }
    expect(plain).toEqual(['archive.sqlite']);
    expect(id).toBeTruthy();
  });
});

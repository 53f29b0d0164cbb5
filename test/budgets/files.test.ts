import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { composeApp } from '../../functions/compose.ts';
import { publish } from '../../functions/load-agents.ts';
import { openWorkspaces } from '../../functions/open-workspaces.ts';
import { defineAgent } from '../../shared/agent/index.ts';
import { createTaskService } from '../../shared/app/tasks/task-service.ts';
import { handleWakeUp } from '../../shared/app/worker/handle-wake-up.ts';
import { defaults } from '../../shared/domain/settings.ts';
import { type Embedded, openEmbedded } from '../../shared/embedded/index.ts';
import type { Blobs } from '../../shared/ports/blobs.ts';
import { createStore } from '../../shared/store/store.ts';
import { write } from '../app/files-world.ts';
import { markingRedactor } from '../doubles/marking-redactor.ts';
import { alone } from '../../testing/no-remotes.ts';
import { type CountingBackend, countingBackend } from './counting-backend.ts';

const counts = z.object({
  transactions: z.number(),
  reads: z.number(),
  writes: z.number(),
  objectsWritten: z.number(),
  objectsRead: z.number(),
  bytesWritten: z.number(),
});
const text = await readFile(new URL('../../budgets.json', import.meta.url), 'utf8');
const budgets = z
  .object({ files: z.object({ firstTask: counts, laterTask: counts }) })
  .parse(JSON.parse(text)).files;

/** 200 files of 4 KB at first; then ten of them change. */
const agent = defineAgent({
  name: 'keeper',
  description: 'Writes files.',
  files: true,
  run(ctx) {
    const from = ctx.text === 'first' ? 0 : 190;
    for (let file = from; file < 200; file += 1)
      write(
        ctx.files.folder,
        `folder-${file % 10}/${file}.txt`,
        `${ctx.text} ${file} `.repeat(300),
      );
    return 'done';
  },
});

interface Traffic {
  objectsWritten: number;
  objectsRead: number;
  bytesWritten: number;
}

function counting(below: Blobs, traffic: Traffic): Blobs {
  async function* measured(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const piece of body) {
      traffic.bytesWritten += piece.byteLength;
      yield piece;
    }
  }
  return {
    get(name) {
      traffic.objectsRead += 1;
      return below.get(name);
    },
    getStream(name, range) {
      traffic.objectsRead += 1;
      return below.getStream(name, range);
    },
    put(name, body, how) {
      traffic.objectsWritten += 1;
      traffic.bytesWritten += body.byteLength;
      return below.put(name, body, how);
    },
    putStream(name, body, how) {
      traffic.objectsWritten += 1;
      return below.putStream(name, measured(body), how);
    },
    delete: (name) => below.delete(name),
    list: (...given) => below.list(...given),
  };
}

let folder: string;
let embedded: Embedded;
let backend: CountingBackend;
let traffic: Traffic;
let send: (words: string) => Promise<void>;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'holdfast-budgets-'));
  const settings = { ...defaults, progressDelay: 60_000 };
  embedded = openEmbedded({ folder, log: { write: () => undefined }, settings });
  backend = countingBackend(embedded.backend);
  traffic = { objectsWritten: 0, objectsRead: 0, bytesWritten: 0 };
  const { clock, ids } = embedded.ports;
  const blobs = counting(embedded.ports.blobs, traffic);
  const deadline = defaults.transactionDeadline;
  const store = createStore({ backend, clock, ids, deadline });
  const workspaces = openWorkspaces({ blobs, ids, settings, scratch: join(folder, 'scratch') });
  const app = composeApp(
    { ...embedded.ports, blobs, store, redactor: markingRedactor, ...alone, workspaces },
    publish([agent], 'the keeper'),
    { idempotency: 'authenticated', installation: { answer: 'metadata', audit: 'metadata' } },
  );
  await app.shards.toRead();
  await app.pausedAgents.of(agent.name);
  const service = createTaskService(app);
  const caller = { agent: agent.name, tenant: '', owner: 'alice', authenticated: true };
  embedded.queue.start((wakeUp) => handleWakeUp(app, wakeUp));
  send = async (words) => {
    const messageId = crypto.randomUUID();
    const message = { messageId, role: 'user', parts: [{ text: words }] } as const;
    const sent = await service.send(caller, { message, contextId: 'ctx' });
    if (sent.kind !== 'accepted') throw new Error('not accepted');
    await service.settled(
      caller,
      sent.taskId,
      { afterRevision: sent.revision },
      new AbortController().signal,
    );
    await embedded.queue.idle();
  };
});

afterEach(async () => {
  await embedded.close();
  await rm(folder, { recursive: true });
});

async function measured(words: string): Promise<z.infer<typeof counts>> {
  backend.counted();
  Object.assign(traffic, { objectsWritten: 0, objectsRead: 0, bytesWritten: 0 });
  await send(words);
  const { transactions, reads, writes } = backend.counted();
  return { transactions, reads, writes, ...traffic };
}

test('a task with files costs what budgets.json says, also where it goes on from another', async () => {
  for (const [words, budget] of [
    ['first', budgets.firstTask],
    ['second', budgets.laterTask],
  ] as const) {
    const cost = await measured(words);
    for (const name of counts.keyof().options)
      expect(cost[name], `${words}: ${name} of ${JSON.stringify(cost)}`).toBeLessThanOrEqual(
        budget[name],
      );
  }
});

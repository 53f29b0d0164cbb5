import { markingRedactor } from '../doubles/marking-redactor.ts';
import { alone } from '../../testing/no-remotes.ts';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { composeApp } from '../../functions/compose.ts';
import { publish } from '../../functions/load-agents.ts';
import { handleWakeUp } from '../../shared/app/worker/handle-wake-up.ts';
import type { Accepted, NewWebhook, TaskService } from '../../shared/app/service.ts';
import { localLane } from '../../shared/app/worker/local-lane.ts';
import { createTaskService } from '../../shared/app/tasks/task-service.ts';
import type { Principal } from '../../shared/domain/ids.ts';
import { defaults } from '../../shared/domain/settings.ts';
import { type Embedded, openEmbedded } from '../../shared/embedded/index.ts';
import type { OutgoingHttp } from '../../shared/ports/outgoing-http.ts';
import { createStore } from '../../shared/store/store.ts';
import scripted from '../fixtures/agents/scripted.ts';
import { type CountingBackend, type Counts, countingBackend } from './counting-backend.ts';

const budget = z.object({
  transactions: z.number().optional(),
  reads: z.number().optional(),
  writes: z.number().optional(),
});
const file = z.object({
  database: z.object({
    accept: budget,
    shortTask: budget,
    shortTaskInOneProcess: budget,
    told: budget,
    getTask: budget,
    listPage: budget,
  }),
});
const text = await readFile(new URL('../../budgets.json', import.meta.url), 'utf8');
const budgets = file.parse(JSON.parse(text)).database;

// The dearest caller: its messages are recognised, which costs a receipt.
const caller: Principal = { agent: scripted.name, tenant: '', owner: 'alice', authenticated: true };

let folder: string;
let embedded: Embedded;
let counter: CountingBackend;
let service: TaskService;
let posts = 0;

/** Webhooks that take everything. */
const outgoing: OutgoingHttp = {
  objectionTo: () => undefined,
  send() {
    posts += 1;
    return Promise.resolve({ kind: 'answer', status: 204, contentType: '' });
  },
};

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'holdfast-budgets-'));
  const log = { write: () => undefined };
  // On a slow machine a short task may outlast the delay and show progress, which would be counted,
  // too.
  const settings = { ...defaults, progressDelay: 60_000 };
  embedded = openEmbedded({ folder, log, settings });
  counter = countingBackend(embedded.backend);
  const { clock, ids } = embedded.ports;
  const deadline = defaults.transactionDeadline;
  const store = createStore({ backend: counter, clock, ids, deadline });
  const agents = publish([scripted], 'the scripted agent');
  const app = composeApp(
    { ...embedded.ports, store, redactor: markingRedactor, ...alone, outgoing },
    agents,
    {
      idempotency: 'authenticated',
      installation: { answer: 'metadata', audit: 'metadata' },
    },
  );
  service = createTaskService(
    app,
    localLane(() => embedded.queue.reserve()),
  );
  posts = 0;
  // What a process reads once in some seconds is no call's cost.
  await app.shards.toRead();
  await app.pausedAgents.of(scripted.name);
  counter.counted();
  deliver = () => embedded.queue.start((wakeUp) => handleWakeUp(app, wakeUp));
});

/** Nothing is delivered before this, so accepting can be counted alone. */
let deliver: () => void;

afterEach(async () => {
  await embedded.close();
  await rm(folder, { recursive: true });
});

async function accept(text = 'hello'): Promise<Accepted> {
  const message = { messageId: crypto.randomUUID(), role: 'user', parts: [{ text }] } as const;
  const sent = await service.send(caller, { message, blocking: true });
  if (sent.kind !== 'accepted') throw new Error(`not accepted: ${JSON.stringify(sent)}`);
  return sent;
}

async function acceptAndRest(webhook?: NewWebhook): Promise<void> {
  const message = {
    messageId: crypto.randomUUID(),
    role: 'user',
    parts: [{ text: 'hi' }],
  } as const;
  const sent = await service.send(caller, { message, ...(webhook && { webhook }) });
  if (sent.kind !== 'accepted') throw new Error('not accepted');
  await service.settled(
    caller,
    sent.taskId,
    { afterRevision: sent.revision },
    new AbortController().signal,
  );
  await embedded.queue.idle();
}

/** A blocking send as the edge makes it, with all that follows: projection, archive, note. */
async function wholeTask(by: 'two functions' | 'one process' = 'two functions'): Promise<string> {
  // A process that delivers has a lane, and claims what it accepts.
  if (by === 'one process') deliver();
  const sent = await accept();
  if (by === 'two functions') deliver();
  await service.settled(
    caller,
    sent.taskId,
    { afterRevision: sent.revision },
    new AbortController().signal,
  );
  await embedded.queue.idle();
  return sent.taskId;
}

function keeps(counted: Readonly<Counts>, allowed: z.infer<typeof budget>): void {
  for (const name of ['transactions', 'reads', 'writes'] as const) {
    const most = allowed[name];
    if (most === undefined) continue;
    const over = counted[name] - most;
    expect(
      over,
      `${name}: ${counted[name]}, ${over} over the budget of ${most}`,
    ).toBeLessThanOrEqual(0);
  }
}

describe('what a call costs at the database stays within budgets.json', () => {
  it('accepting a message is one transaction', async () => {
    await accept();
    keeps(counter.counted(), budgets.accept);
  });

  it('a short task, from its message to the noted archive', async () => {
    await wholeTask();
    keeps(counter.counted(), budgets.shortTask);
  });

  it('the same in one process, which claims what it accepts', async () => {
    await wholeTask('one process');
    keeps(counter.counted(), budgets.shortTaskInOneProcess);
  });

  it('a task with a webhook costs its notifications more, and one without costs nothing for that', async () => {
    deliver();
    await acceptAndRest();
    const without = counter.counted();
    await acceptAndRest({ url: 'https://hooks.example/', version: '1.0' });
    const told = counter.counted();
    // Three deliveries at most, which each begin with a claim; one where they come close together.
    keeps(
      {
        transactions: told.transactions - without.transactions,
        reads: told.reads - without.reads,
        writes: told.writes - without.writes,
      },
      budgets.told,
    );
    expect(posts).toBe(3);
  });

  it('GetTask is one read', async () => {
    const taskId = await wholeTask();
    counter.counted();
    await service.get(caller, taskId);
    keeps(counter.counted(), budgets.getTask);
  });

  it('a page of 50 tasks is one read for each and one for the count', async () => {
    deliver();
    for (let task = 0; task < 60; task += 1) await accept();
    await embedded.queue.idle();
    counter.counted();
    const page = await service.list(caller, { includeArtifacts: false });
    expect(page).toMatchObject({ totalSize: 60, tasks: { length: 50 } });
    keeps(counter.counted(), budgets.listPage);
  });
});

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Run } from '../../shared/domain/run.ts';
import { Client } from './client.ts';
import { useOracle } from './oracle.ts';
import { type Books, contextOf, openBooks } from './remote-books.ts';
import { Front } from './remote-front.ts';
import { BRISK, type Server, useFleet } from './server.ts';
import { artifactIds, stateOf, textOf, type WireTask } from './wire.ts';

const AGENTS = 'test/fixtures/agents/e2e-delegation.ts';
const fleet = useFleet();
/** As other polls of another process. */
const POLL = { interval: 30, timeout: 5_000 };
const oracle = useOracle({ reruns: true });
/**
 * Each of two instances is known to the other by its front, which stays where it is when the
 * instance starts anew.
 */
const [toHere, toThere] = [new Front(), new Front()];
let here: Server;
let there: Server;
let books: Books;
let booksThere: Books;

beforeAll(async () => {
  await Promise.all([toHere.open(), toThere.open()]);
  const start = async (front: Front, remotes: object) => {
    const server = await fleet.start({
      store: 'embedded',
      settings: { ...BRISK, pollMin: 100, pollMax: 500, remoteCall: 1_500 },
      args: [
        '--agents',
        AGENTS,
        '--base-url',
        front.url,
        '--remote-private',
        'loopback',
        '--log',
        'info',
      ],
      env: { HOLDFAST_E2E_REMOTES: JSON.stringify(remotes) },
    });
    front.remote = server;
    return server;
  };
  const card = (front: Front, agent: string) => ({
    card: `${front.url}/agents/${agent}/.well-known/agent-card.json`,
  });
  [here, there] = await Promise.all([
    start(toHere, {
      there: card(toThere, 'relay'),
      worker: card(toThere, 'scripted'),
      hasty: { ...card(toThere, 'scripted'), deadline: 600 },
    }),
    start(toThere, { back: card(toHere, 'scripted') }),
  ]);
  [books, booksThere] = [openBooks(here), openBooks(there)];
});

beforeEach(() => {
  for (const { seen } of [toHere, toThere]) seen.length = 0;
});

afterAll(async () => {
  await Promise.all([books.close(), booksThere.close(), toHere.close(), toThere.close()]);
});

const client = () => new Client(here, oracle);

/** An agent lists its own tasks only. */
function agentOf(server: Server, agent: string): Client {
  return new Client({ url: `${server.url}/agents/${agent}` }, oracle);
}

/** Sends, and waits until the run waits for its remote. */
async function waiting(text: string): Promise<WireTask> {
  const task = await client().send(text, { ri: true });
  await suspended(task.id);
  return task;
}

async function suspended(id: string): Promise<void> {
  const status = async () => (await books.run(id))?.status;
  await expect.poll(status, POLL).toBe('waiting_for_dependency');
}

/** The task that the call of a task has there. */
async function theOneTaskOf(id: string, at = agentOf(there, 'scripted')): Promise<WireTask> {
  const { tasks } = await at.list({ contextId: contextOf(id) });
  const [task] = tasks;
  if (task === undefined || tasks.length > 1) throw new Error(`${tasks.length} tasks of ${id}`);
  return task;
}

/** A run here that waits for one there that waits for one here that is at work. */
async function chain(text: string) {
  const { id } = await waiting(text);
  const middle = () => theOneTaskOf(id, agentOf(there, 'relay'));
  const last = async () => theOneTaskOf((await middle()).id, agentOf(here, 'scripted'));
  // Until its send was answered, a kill would leave a send whose outcome is not known.
  await expect.poll(async () => stateOf(await last()), POLL).toBe('WORKING');
  const { id: middleId } = await middle();
  await expect
    .poll(async () => (await booksThere.send(middleId))?.state, POLL)
    .toBe('acknowledged');
  return { id, middle, last };
}

/** Its remote task is cancelled in the end, by one CancelTask. */
async function cancelledOnce(id: string): Promise<void> {
  await expect.poll(async () => stateOf(await theOneTaskOf(id)), POLL).toBe('CANCELED');
  await expect.poll(async () => (await books.send(id))?.cancelled, POLL).toBeTruthy();
  expect(toThere.count('CancelTask')).toBe(1);
}

describe('A slow agent of another instance', () => {
  test('is waited for without a worker, and its artifacts and words are those of the task here', async () => {
    const stream = await client().stream('to=worker steps=2 wait=700');
    await stream.reach('WORKING');
    const id = oracle.idOf(stream);
    await suspended(id);
    expect(stateOf(await client().get(id))).toBe('WORKING');
    expect(await books.run(id)).not.toHaveProperty('claim');
    await stream.all();
    expect(stream.names().slice(2)).toEqual(['artifact step-1', 'artifact step-2', 'COMPLETED']);
    const done = await client().get(id);
    expect(textOf(done.status.message)).toBe('worker completed: done: steps=2 wait=700');
    expect(done.artifacts?.map(textOf)).toEqual(['result of step 1', 'result of step 2']);
    expect(stateOf(await theOneTaskOf(id))).toBe('COMPLETED');
    expect(toThere.count('SendMessage')).toBe(1);
    expect(await books.send(id)).toMatchObject({ state: 'acknowledged', remote: 'worker' });
    expect(await books.pause(id, 1)).toMatchObject({ resolution: 'completed' });
  });

  test('may hand its work on to an agent here: three runs, each with one task', async () => {
    const done = await client().send('to=there to=back steps=1 wait=300');
    expect(textOf(done.status.message)).toBe(
      'there completed: back completed: done: steps=1 wait=300',
    );
    expect(artifactIds(done)).toEqual(['step-1']);
    const middle = await theOneTaskOf(done.id, agentOf(there, 'relay'));
    expect(stateOf(await theOneTaskOf(middle.id, agentOf(here, 'scripted')))).toBe('COMPLETED');
  });

  test('that fails, or rejects, is a result to go on with, and the next one is asked', async () => {
    const failed = await client().send('to=worker fail');
    expect(stateOf(failed)).toBe('COMPLETED');
    expect(textOf(failed.status.message)).toBe('worker failed: failed as asked');
    const rejected = await client().send('to=worker,hasty reject');
    expect(textOf(rejected.status.message)).toBe(
      'worker rejected: not my job; hasty rejected: not my job',
    );
    expect(await books.send(rejected.id, 'call-4-1')).toMatchObject({ remote: 'hasty' });
  });

  test('that asks back is a result that says so, and its task is cancelled once', async () => {
    const done = await client().send('to=worker ask');
    expect(textOf(done.status.message)).toBe('worker input-required: Which colour?');
    await cancelledOnce(done.id);
  });

  test('that is late is a result that says so at the deadline, and its task is cancelled once', async () => {
    const done = await client().send('to=hasty wait=60000');
    expect(textOf(done.status.message)).toBe('hasty timeout');
    expect(await books.pause(done.id, 1)).toMatchObject({ resolution: 'timeout' });
    await cancelledOnce(done.id);
  });
});

describe('A process that dies meanwhile', () => {
  test('the remote, in the middle of its task: it goes on with it, and so does the run here', async () => {
    const { id } = await waiting('to=worker steps=2 wait=600');
    await there.kill();
    // Looks that fail are no end of the run.
    await expect.poll(async () => failures(await books.run(id)), POLL).toBeGreaterThan(0);
    await there.start();
    const done = await client().finished(id);
    expect(artifactIds(done)).toEqual(['step-1', 'step-2']);
    await theOneTaskOf(id);
    expect(toThere.count('SendMessage')).toBe(1);
  });

  test('the one that waits: it goes on waiting, and nothing is sent again', async () => {
    const { id } = await waiting('to=worker steps=2 wait=600');
    await here.restart('kill');
    const done = await client().finished(id);
    expect(textOf(done.status.message)).toBe('worker completed: done: steps=2 wait=600');
    expect(artifactIds(done)).toEqual(['step-1', 'step-2']);
    await theOneTaskOf(id);
    expect(toThere.count('SendMessage')).toBe(1);
  });

  test('both at once, in a chain of three runs', async () => {
    const { id, middle, last } = await chain('to=there to=back steps=1 wait=500');
    await Promise.all([here.restart('kill'), there.restart('kill')]);
    const done = await client().finished(id);
    expect(artifactIds(done)).toEqual(['step-1']);
    expect(stateOf(await middle())).toBe('COMPLETED');
    expect(stateOf(await last())).toBe('COMPLETED');
  });
});

describe('A cancel while it waits', () => {
  test('is CANCELED at once, and cancels the remote task once', async () => {
    const { id } = await waiting('to=worker wait=60000');
    expect(stateOf(await client().cancel(id))).toBe('CANCELED');
    await cancelledOnce(id);
    await expect.poll(async () => (await books.send(id))?.cancelled, POLL).toBe('CANCELED');
    // Cancelled again, and the remote hears nothing of it.
    expect(stateOf(await client().cancel(id))).toBe('CANCELED');
    expect(toThere.count('CancelTask')).toBe(1);
  });

  test('goes along a chain of runs to its end', async () => {
    const { id, middle, last } = await chain('to=there to=back wait=60000');
    expect(stateOf(await client().cancel(id))).toBe('CANCELED');
    await expect.poll(async () => stateOf(await last()), POLL).toBe('CANCELED');
    expect(stateOf(await middle())).toBe('CANCELED');
    expect([toThere.count('CancelTask'), toHere.count('CancelTask')]).toEqual([1, 1]);
  });

  test('waits for no remote that hangs, and does not ask it twice', async () => {
    const { id } = await waiting('to=worker wait=60000');
    const { promise: until, resolve: release } = Promise.withResolvers<void>();
    toThere.next('CancelTask', { kind: 'hold', when: 'before', until });
    expect(stateOf(await client().cancel(id))).toBe('CANCELED');
    await expect
      .poll(async () => (await books.send(id))?.cancelled, POLL)
      .toBe('outcome_unknown: timeout');
    release();
    await cancelledOnce(id);
  });

  test('waits for no remote that is down; it is told once it is back', async () => {
    const { id } = await waiting('to=worker wait=60000');
    await toThere.close();
    expect(stateOf(await client().cancel(id))).toBe('CANCELED');
    await expect
      .poll(async () => (await books.send(id))?.cancelled, POLL)
      .toBe('not_sent: connection refused');
    await toThere.open();
    await cancelledOnce(id);
  });
});

function failures(run: Run | undefined): number {
  return run?.status === 'waiting_for_dependency' ? run.dependency.failures : 0;
}

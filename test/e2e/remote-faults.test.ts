import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Remote } from '../../shared/domain/remote.ts';
import { certificates } from '../fixtures/remotes/scripted-remote.ts';
import { Client } from './client.ts';
import { eventually } from './eventually.ts';
import { Oracle } from './oracle.ts';
import { type Books, contextOf, openBooks } from './remote-books.ts';
import { Front, type FrontOptions, type Mishap } from './remote-front.ts';
import { BRISK, type Server, useFleet } from './server.ts';
import { stateOf, textOf, type WireTask } from './wire.ts';

const fleet = useFleet();
const oracle = new Oracle({ reruns: true });
let here: Server;
let there: Server;
let books: Books;

interface Known {
  readonly front: Front;
  readonly declared: Partial<Remote>;
}
/**
 * Every test has a remote of its own, which is the same agent behind another front, so that they
 * can go on at one time.
 */
const known = new Map<string, Known>();

function remoteCalled(name: string, declared: Partial<Remote> = {}, options?: FrontOptions): Front {
  const front = new Front(options);
  known.set(name, { front, declared });
  return front;
}

beforeAll(async () => {
  there = await fleet.start({ store: 'embedded', args: ['--idempotency', 'always'] });
  const remotes = await Promise.all(
    [...known].map(async ([name, { front, declared }]) => {
      front.remote = there;
      await front.open();
      return [name, { card: `${front.url}/.well-known/agent-card.json`, ...declared }] as const;
    }),
  );
  here = await fleet.start({
    store: 'embedded',
    settings: { ...BRISK, pollMin: 100, pollMax: 400, remoteCall: 3_000 },
    args: ['--agents', 'test/fixtures/agents/e2e-delegation.ts', '--remote-private', 'loopback'],
    env: { HOLDFAST_E2E_REMOTES: JSON.stringify(Object.fromEntries(remotes)) },
  });
  books = openBooks(here);
});

afterAll(async () => {
  await books.close();
  await Promise.all([...known.values()].map(({ front }) => front.close()));
  expect(oracle.contradictions()).toEqual([]);
});

const client = () => new Client(here, oracle);
const send = (text: string) => client().send(text, { ri: true });

/** The words of the end, which is always an end in words: no fault of a remote fails a run. */
async function wordsOf({ id }: WireTask): Promise<string> {
  const done = await client().finished(id);
  expect(stateOf(done)).toBe('COMPLETED');
  return textOf(done.status.message) ?? '';
}

/** How many tasks there are in the context of that delegation. */
async function tasksOf({ id }: WireTask): Promise<readonly WireTask[]> {
  return (await new Client(there, oracle).list({ contextId: contextOf(id) })).tasks;
}

/** Waits until the run shows that the outcome of its send is unknown. */
async function outcomeUnknown({ id }: WireTask): Promise<void> {
  const shown = async () => {
    const run = await books.run(id);
    return run?.status === 'waiting_for_dependency' ? run.dependency.operation : 'elsewhere';
  };
  await eventually(shown, null);
  expect(await books.send(id)).toMatchObject({ state: 'outcome_unknown' });
}

const say = (
  when: 'before' | 'after',
  status: number,
  body = '',
  headers: Readonly<Record<string, string>> = {},
): Mishap => ({ kind: 'say', when, status, body, headers });
const refusal = (code: number): string =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, error: { code, message: 'No.' } });

describe.concurrent('I2: the remote took the message, and its answer', () => {
  const cases: readonly (readonly [string, Mishap])[] = [
    ['was dropped', { kind: 'cut', when: 'after' }],
    ['was a page of a gateway', say('after', 502, '<html>', { 'content-type': 'text/html' })],
    ['was a page that says 200', say('after', 200, '<html>', { 'content-type': 'text/html' })],
    ['was malformed', say('after', 200, '{"jsonrpc":"2.0","id":1,"result":{}}')],
    ['was an internal error', say('after', 200, refusal(-32_603))],
  ];
  for (const [at, [what, mishap]] of cases.entries()) {
    const name = `unheard-${at}`;
    const front = remoteCalled(name);
    test(`${what}: its task is looked up, and nothing is sent again`, async () => {
      front.next('SendMessage', mishap);
      const task = await send(`to=${name} steps=1 wait=300`);
      expect(await wordsOf(task)).toBe(`${name} completed: done: steps=1 wait=300`);
      expect(await books.send(task.id)).toMatchObject({ state: 'acknowledged', reason: 'found' });
      expect(await tasksOf(task)).toHaveLength(1);
      expect(front.count('SendMessage')).toBe(1);
      expect(front.count('ListTasks')).toBeGreaterThan(0);
    });
  }

  const slow = remoteCalled('slow-answer');
  test('came after we had hung up: its task is looked up', async () => {
    const { promise: until, resolve: release } = Promise.withResolvers<void>();
    slow.next('SendMessage', { kind: 'hold', when: 'after', until });
    const task = await send('to=slow-answer steps=1');
    expect(await wordsOf(task)).toBe('slow-answer completed: done: steps=1');
    release();
    expect(await tasksOf(task)).toHaveLength(1);
    expect(slow.count('SendMessage')).toBe(1);
  });

  const late = remoteCalled('late-arrival');
  test('could not come, for the message itself was late: it is looked up, too', async () => {
    const { promise: until, resolve: release } = Promise.withResolvers<void>();
    late.next('SendMessage', { kind: 'hold', when: 'before', until });
    const task = await send('to=late-arrival steps=1');
    await outcomeUnknown(task);
    expect(await tasksOf(task)).toHaveLength(0);
    release();
    expect(await wordsOf(task)).toBe('late-arrival completed: done: steps=1');
    expect(await tasksOf(task)).toHaveLength(1);
    expect(late.count('SendMessage')).toBe(1);
  });

  const mute = remoteCalled('no-lists', { deadline: 2_500 });
  test('is lost, and it can list no tasks: unknown until the deadline, never sent again', async () => {
    mute.next('SendMessage', { kind: 'cut', when: 'after' });
    mute.next(
      'ListTasks',
      ...Array.from({ length: 99 }, () => say('before', 200, refusal(-32_004))),
    );
    const task = await send('to=no-lists steps=1');
    await outcomeUnknown(task);
    expect(await wordsOf(task)).toBe('no-lists timeout');
    expect(await tasksOf(task)).toHaveLength(1);
    expect(mute.count('SendMessage')).toBe(1);
    expect(await books.send(task.id)).toMatchObject({ state: 'outcome_unknown' });
  });
});

describe.concurrent('It is not known whether the remote took the message, and it did not', () => {
  const cases: readonly (readonly [string, Mishap])[] = [
    ['the connection was cut', { kind: 'cut', when: 'before' }],
    ['the answer was 503', say('before', 503, '', { 'retry-after': '0' })],
  ];
  for (const [at, [what, mishap]] of cases.entries()) {
    const name = `untaken-${at}`;
    const front = remoteCalled(name, { deadline: 2_500 });
    test(`${what}: the run shows it until the deadline, and nothing is sent again`, async () => {
      front.next('SendMessage', mishap);
      const task = await send(`to=${name} steps=1`);
      await outcomeUnknown(task);
      expect(await wordsOf(task)).toBe(`${name} timeout`);
      expect(await tasksOf(task)).toHaveLength(0);
      expect(front.count('SendMessage')).toBe(1);
    });
  }
});

describe.concurrent('The remote did not take the message, for certain', () => {
  const busy = remoteCalled('busy');
  test('429 with Retry-After: it is sent again after that time, under the same id', async () => {
    busy.next('SendMessage', say('before', 429, '', { 'retry-after': '2' }));
    const task = await send('to=busy steps=1');
    expect(await wordsOf(task)).toBe('busy completed: done: steps=1');
    // That it waits until then, and not a moment less, is shown over a virtual clock in
    // test/app/delegation.test.ts.
    expect(await tasksOf(task)).toHaveLength(1);
    expect(busy.count('SendMessage')).toBe(2);
  });

  const closed = remoteCalled('closed');
  test('429 for an hour: a result that says so, at once', async () => {
    closed.next('SendMessage', say('before', 429, '', { 'retry-after': '3600' }));
    const task = await send('to=closed steps=1');
    expect(await wordsOf(task)).toBe('closed refused: http 429');
    expect(closed.count('SendMessage')).toBe(1);
  });

  const picky = remoteCalled('picky');
  test('an A2A error that refuses: a result that says so, at once', async () => {
    picky.next('SendMessage', say('before', 200, refusal(-32_602)));
    expect(await wordsOf(await send('to=picky steps=1'))).toBe('picky refused: a2a -32602');
    expect(picky.count('SendMessage')).toBe(1);
  });

  const away = remoteCalled('away');
  test('connection refused, and accepted a moment later: it gets the message once', async () => {
    await away.close();
    const task = await send('to=away steps=1');
    await eventually(async () => (await books.send(task.id))?.state, 'not_sent');
    await away.open();
    expect(await wordsOf(task)).toBe('away completed: done: steps=1');
    expect(await tasksOf(task)).toHaveLength(1);
    expect(away.count('SendMessage')).toBe(1);
  });

  const gone = remoteCalled('gone');
  test('connection refused for good: a result that says so after a few tries', async () => {
    await gone.close();
    expect(await wordsOf(await send('to=gone steps=1'))).toBe('gone not_sent: connection refused');
  });

  const { key, localhost: cert } = certificates;
  const forged = remoteCalled('forged', {}, { tls: { key, cert } });
  test('a certificate of no known authority: a result that says so, and it saw no request', async () => {
    expect(await wordsOf(await send('to=forged steps=1'))).toBe('forged not_sent: tls');
    expect(forged.seen).toEqual([]);
  });
});

describe.concurrent('On the way', () => {
  const doubled = remoteCalled('doubled');
  test('the message is doubled: a remote that knows ids has one task', async () => {
    doubled.next('SendMessage', { kind: 'twice' });
    const task = await send('to=doubled steps=1 wait=200');
    expect(await wordsOf(task)).toBe('doubled completed: done: steps=1 wait=200');
    expect(await tasksOf(task)).toHaveLength(1);
  });

  const gateway = remoteCalled('gateway', {}, { cutAfter: 500 });
  test('I3: a gateway cuts every call that lasts, and the task lasts longer', async () => {
    const task = await send('to=gateway steps=1 wait=2000');
    expect(await wordsOf(task)).toBe('gateway completed: done: steps=1 wait=2000');
    expect(await tasksOf(task)).toHaveLength(1);
    expect(gateway.count('SendMessage')).toBe(1);
  });
});

describe.concurrent('A look', () => {
  const shaky = remoteCalled('shaky');
  test('that fails is a failed look, and the next one finds the result', async () => {
    shaky.next(
      'GetTask',
      say('before', 500),
      { kind: 'cut', when: 'after' },
      say('before', 429, '', { 'retry-after': '1' }),
      say('before', 200, '<html>', { 'content-type': 'text/html' }),
      say('before', 200, refusal(-32_603)),
    );
    const task = await send('to=shaky steps=1');
    expect(await wordsOf(task)).toBe('shaky completed: done: steps=1');
    expect(shaky.count('GetTask')).toBeGreaterThanOrEqual(6);
  });

  const forgetful = remoteCalled('forgetful');
  test('that hears that there is no such task: a result that says so', async () => {
    forgetful.next('GetTask', say('before', 200, refusal(-32_001)));
    expect(await wordsOf(await send('to=forgetful steps=1 wait=60000'))).toBe('forgetful gone');
  });

  const confused = remoteCalled('confused');
  test('that is answered with nonsense: a result that says so, and its task is cancelled once', async () => {
    confused.next('GetTask', say('before', 200, '{"jsonrpc":"2.0","id":1,"result":{"id":7}}'));
    const task = await send('to=confused wait=60000');
    expect(await wordsOf(task)).toBe('confused unusable');
    await eventually(async () => (await tasksOf(task)).map(stateOf), ['CANCELED']);
    expect(confused.count('CancelTask')).toBe(1);
  });
});

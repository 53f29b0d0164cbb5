import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Backend } from '../../shared/ports/backend.ts';
import { Unavailable } from '../../shared/ports/faults.ts';
import { Client, Refusal } from './client.ts';
import { type InProcess, startInProcess } from './in-process.ts';
import { useOracle } from './oracle.ts';
import { useFleet } from './server.ts';
import { artifactIds, stateOf, textOf } from './wire.ts';

const fleet = useFleet();
const oracle = useOracle();

/**
 * Every nth commit is applied and its answer dropped; every mth is dropped before it is applied.
 */
function lossy(backend: Backend, nth: number, mth: number): Backend & { readonly lost: number[] } {
  const lost: number[] = [];
  let commits = 0;
  return {
    lost,
    read: (paths) => backend.read(paths),
    query: (query, after) => backend.query(query, after),
    count: (query) => backend.count(query),
    follow: (query, after, signal) => backend.follow(query, after, signal),
    watch: (path, signal) => backend.watch(path, signal),
    close: () => backend.close(),
    async commit(checks, writes) {
      commits += 1;
      const at = commits;
      if (at % mth === 0) {
        lost.push(at);
        throw new Unavailable('a store that did not answer');
      }
      const outcome = await backend.commit(checks, writes);
      if (at % nth === 0) {
        lost.push(at);
        throw new Unavailable('a store whose answer was lost');
      }
      return outcome;
    },
  };
}

describe.each([
  ['each answer of the store is lost', 1, 1_000_000, 'always'],
  ['each answer is lost and no retry is recognised', 1, 1_000_000, 'off'],
  ['every second answer is lost and every third write', 2, 3, 'always'],
  ['every third answer is lost and every fifth write', 3, 5, 'off'],
] as const)('C9: %s', (_, nth, mth, idempotency) => {
  let system: InProcess;
  let client: Client;
  let lost: readonly number[] = [];

  beforeAll(async () => {
    system = await startInProcess({
      folder: await fleet.folder(),
      idempotency,
      settings: { sweepInterval: 300, sweepGrace: 200 },
      wrap: (backend) => {
        const wrapped = lossy(backend, nth, mth);
        ({ lost } = wrapped);
        return wrapped;
      },
    });
    client = new Client(system, oracle);
  });
  afterAll(() => system.close());

  test('tasks complete once, with every event once', async () => {
    const streams = await Promise.all(
      Array.from({ length: 10 }, () => client.stream('steps=5 delay=10')),
    );
    for (const stream of streams) {
      await stream.all();
      expect(stream.names()).toEqual([
        'task SUBMITTED',
        'WORKING',
        ...[1, 2, 3, 4, 5].map((step) => `artifact step-${step}`),
        'COMPLETED',
      ]);
      const task = await client.get(oracle.idOf(stream));
      expect(artifactIds(task)).toHaveLength(5);
      expect(task.history).toHaveLength(2);
    }
    expect(lost.length).toBeGreaterThan(0);
  });

  test('chunks come once each, in their order', async () => {
    const stream = await client.stream('chunks=20 delay=5');
    await stream.all();
    const { artifacts } = await client.get(oracle.idOf(stream));
    const whole = Array.from({ length: 20 }, (_each, at) => `chunk ${at + 1};`).join('');
    expect(textOf(artifacts?.[0])).toBe(whole);
  });

  test('a question is asked once, its answer taken once, and the context is free after', async () => {
    const asked = await client.send('ask');
    const done = await client.send('steps=1 red', { taskId: asked.id });
    expect(stateOf(done)).toBe('COMPLETED');
    expect((done.history ?? []).map(textOf)).toEqual([
      'ask',
      'Which colour?',
      'steps=1 red',
      'you said steps=1 red',
    ]);
    const { contextId } = asked;
    expect(stateOf(await client.send('steps=1', { contextId }))).toBe('COMPLETED');
  });

  test('a cancel is done once and agrees with what is read', async () => {
    const { id } = await client.send('wait=5000', { ri: true });
    const answers = await Promise.all([client.cancel(id), client.cancel(id)]);
    expect(answers.map(stateOf)).toEqual(['CANCELED', 'CANCELED']);
    expect(answers[1]).toEqual(answers[0]);
    const done = await client.send('steps=1');
    await expect(client.cancel(done.id)).rejects.toBeInstanceOf(Refusal);
  });

  test('a retried message finds its task where retries are recognised, and makes one where not', async () => {
    const sending = { messageId: `c9-${nth}`, contextId: `c9-${nth}` };
    const first = await client.send('echo', sending);
    const again = await client.send('echo', sending);
    const recognised = idempotency === 'always';
    expect(again.id === first.id).toBe(recognised);
    const { totalSize } = await client.list({ contextId: sending.contextId });
    expect(totalSize).toBe(recognised ? 1 : 2);
  });
});

import { randomUUID } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BINDINGS, Client, Refusal, sendParams } from './client.ts';
import { type InProcess, startInProcess } from './in-process.ts';
import { useOracle } from './oracle.ts';
import { useFleet } from './server.ts';
import { artifactIds, stateOf, type WireTask } from './wire.ts';

const fleet = useFleet();
const oracle = useOracle();
let system: InProcess;

beforeAll(async () => {
  system = await startInProcess({
    folder: await fleet.folder(),
    idempotency: 'authenticated',
    // Only here: a real deployment never believes such a header.
    access: () => ({
      principalOf: (headers) =>
        Promise.resolve({ owner: headers['x-test-user']?.[0] ?? '', authenticated: true }),
    }),
  });
});
afterAll(() => system.close());

function as(user: string, binding: (typeof BINDINGS)[number] = 'jsonrpc'): Client {
  return new Client(system, oracle, binding, { 'X-Test-User': user });
}

/**
 * What a call answers, with the ids that it must name made equal, so that two answers can be
 * compared byte by byte.
 */
async function answerOf(call: () => Promise<unknown>, ...ids: string[]): Promise<string> {
  const neutral = (text: string) => ids.reduce((all, id) => all.replaceAll(id, '<id>'), text);
  try {
    return `no error: ${neutral(JSON.stringify(await call()))}`;
  } catch (error) {
    if (error instanceof Refusal) return neutral(`${error.http} ${error.body}`);
    throw error;
  }
}

describe.each(BINDINGS)('G1: the task of another caller (%s)', (binding) => {
  const states: readonly (readonly [string, string, string])[] = [
    ['at work', 'wait=20000', 'WORKING'],
    ['finished', 'steps=2', 'COMPLETED'],
    ['waiting', 'ask', 'INPUT_REQUIRED'],
  ];

  test.each(states)(
    'one that is %s answers on every method as a random id does',
    async (_, script, rest) => {
      const mallory = as('mallory', binding);
      const task = await as('alice').send(script, { ri: true });
      await as('alice').until(task.id, (state) => state === `TASK_STATE_${rest}`);
      const before = await as('alice').get(task.id);
      const calls: readonly ((id: string) => Promise<unknown>)[] = [
        (id) => mallory.get(id),
        (id) => mallory.get(id, 0),
        (id) => mallory.cancel(id),
        (id) => mallory.subscribe(id),
        (id) => mallory.subscribe(id, 1),
        (id) => mallory.subscribe(id, 999),
        (id) => mallory.send('give', { taskId: id }),
        (id) => mallory.send('give', { taskId: id, contextId: task.contextId }),
        (id) => mallory.stream('give', { taskId: id }),
      ];
      for (const call of calls) {
        const random = randomUUID();
        const foreign = await answerOf(() => call(task.id), task.id);
        expect(foreign).toBe(await answerOf(() => call(random), random));
        expect(foreign).toContain('TASK_NOT_FOUND');
      }
      expect(await as('alice').get(task.id)).toEqual(before);
      if (rest !== 'COMPLETED') await as('alice').cancel(task.id);
    },
  );

  test('lists show nothing of it, by no filter, and do not count it', async () => {
    const task = await as('alice').send('steps=1');
    const mallory = as(`mallory-${binding}`, binding);
    const empty = { tasks: [], nextPageToken: '', pageSize: 50, totalSize: 0 };
    expect(await mallory.list()).toEqual(empty);
    expect(await mallory.list({ contextId: task.contextId })).toEqual(empty);
    expect(await mallory.list({ status: task.status.state })).toEqual(empty);
  });

  test('a page token of another caller is refused like any that was not given', async () => {
    await Promise.all([as('alice').send('steps=1'), as('alice').send('steps=1')]);
    const { nextPageToken: pageToken } = await as('alice').list({ pageSize: 1 });
    await expect(as('mallory', binding).list({ pageSize: 1, pageToken })).rejects.toMatchObject({
      code: -32602,
    });
  });

  test('its context id is a context of its own for everybody else', async () => {
    const contextId = `shared-${binding}`;
    const hers = await as('alice').send('wait=20000', { contextId, ri: true });
    // Her open task does not make his context busy, and his agent sees none of hers.
    const his = await as('bob', binding).send('steps=1', { contextId });
    expect(stateOf(his)).toBe('COMPLETED');
    const { tasks } = await as('bob', binding).list({ contextId });
    expect(tasks.map(({ id }) => id)).toEqual([his.id]);
    await as('alice').cancel(hers.id);
  });

  test('a reference to it is kept as words and opens nothing', async () => {
    const hers = await as('alice').send('steps=2');
    const bob = as('bob', binding);
    const [foreign, random] = await Promise.all(
      [hers.id, randomUUID()].map((id) => bob.send('echo look', { referenceTaskIds: [id] })),
    );
    const shape = (task: WireTask | undefined) => [
      task && stateOf(task),
      task && artifactIds(task),
    ];
    expect(shape(foreign)).toEqual(shape(random));
    expect(JSON.stringify(foreign)).not.toContain('result of step');
  });

  test('the same messageId of two callers makes two tasks', async () => {
    const messageId = `same-${binding}`;
    const [hers, his] = await Promise.all([
      as('alice', binding).send('steps=1', { messageId }),
      as('bob', binding).send('steps=2', { messageId }),
    ]);
    expect(his.id).not.toBe(hers.id);
    expect((await as('alice', binding).send('steps=1', { messageId })).id).toBe(hers.id);
  });
});

describe('G1: tenants', () => {
  test('a task of one tenant is unknown in another', async () => {
    const alice = as('alice');
    const ofTenant = (operation: string, tenant: string, params: object) =>
      alice.call(operation, { ...params, tenant });
    const { task } = (await ofTenant('SendMessage', 'north', sendParams('steps=1', {}))) as {
      task: WireTask;
    };
    await expect(ofTenant('GetTask', 'north', { id: task.id })).resolves.toMatchObject({
      id: task.id,
    });
    for (const tenant of ['', 'south']) {
      await expect(ofTenant('GetTask', tenant, { id: task.id })).rejects.toMatchObject({
        code: -32001,
      });
    }
  });
});

describe('G1: time', () => {
  test('a foreign id takes no longer to refuse than a random one, as far as a client can tell', async () => {
    const { id } = await as('alice').send('steps=2');
    const mallory = as('mallory');
    const spans: Record<'foreign' | 'random', number[]> = { foreign: [], random: [] };
    for (let round = 0; round < 100; round += 1) {
      for (const kind of ['foreign', 'random'] as const) {
        const began = performance.now();
        await mallory.get(kind === 'foreign' ? id : randomUUID()).catch(() => undefined);
        spans[kind].push(performance.now() - began);
      }
    }
    const median = (all: number[]) => all.toSorted((a, b) => a - b)[all.length / 2] ?? 0;
    expect(median(spans.foreign)).toBeLessThan(median(spans.random) * 2 + 1);
  });
});

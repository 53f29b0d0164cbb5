import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { Unavailable } from '../ports/faults.ts';
import { createConnection } from './connection.ts';

beforeEach(() => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
});

const deadline = (): Error => Object.assign(new Error('status'), { code: 4 });
const never = (): Promise<never> => new Promise(() => {});

function open() {
  const closed: number[] = [];
  let opened = 0;
  const connection = createConnection({
    what: 'the service',
    open: async () => (opened += 1),
    close: async (client) => void closed.push(client),
  });
  const client = async () => (await connection.held()).client;
  return { connection, client, closed };
}

async function silent(call: Promise<unknown>, deadline: number): Promise<void> {
  const outcome = expect(call).rejects.toThrow(Unavailable);
  await vi.advanceTimersByTimeAsync(deadline);
  await outcome;
}

test('a client that answers nothing until a deadline is replaced, and who listens on it is told', async () => {
  const { connection, client } = open();
  await connection.ask(async () => 'well', 5_000);
  const { replaced } = await connection.held();
  await silent(connection.ask(never, 5_000), 5_000);
  expect([await client(), replaced.aborted]).toEqual([2, true]);
});

test('a replaced client is closed when its calls are over, also those that were given up', async () => {
  const { connection, client, closed } = open();
  const calls = [Promise.withResolvers<string>(), Promise.withResolvers<string>()] as const;
  const answer = connection.ask(() => calls[0].promise, 60_000);
  await silent(
    connection.ask(() => calls[1].promise, 5_000),
    5_000,
  );
  expect([await client(), closed]).toEqual([2, []]);
  calls[1].reject(new Error('late'));
  await vi.advanceTimersByTimeAsync(0);
  expect(closed).toEqual([]);
  calls[0].resolve('well');
  expect(await answer).toBe('well');
  await vi.advanceTimersByTimeAsync(0);
  expect(closed).toEqual([1]);
});

test('a call that comes as its client is replaced is made on the new one', async () => {
  let met = 0;
  for (let ticks = 0; ticks < 20; ticks += 1) {
    const { connection } = open();
    const { replaced } = await connection.held();
    const first = Promise.withResolvers<never>();
    const dead = expect(connection.ask(() => first.promise, 5_000)).rejects.toThrow('status');
    await vi.advanceTimersByTimeAsync(0);
    first.reject(deadline());
    for (let tick = 0; tick < ticks; tick += 1) await Promise.resolve();
    const late = replaced.aborted;
    const used = await connection.ask(async (it) => [it, replaced.aborted] as const, 5_000);
    expect(used[0]).toBe(used[1] ? 2 : 1);
    if (!late && used[0] === 2) met += 1;
    await dead;
  }
  // The replacement came between the call and its client.
  expect(met).toBeGreaterThan(0);
});

test('a connection closes its client when the calls are over, and says so when that takes too long', async () => {
  const { connection, closed } = open();
  const call = Promise.withResolvers<string>();
  const answer = connection.ask(() => call.promise, 60_000);
  await connection.held();
  await silent(connection.close(5_000), 5_000);
  expect(closed).toEqual([]);
  call.resolve('well');
  expect(await answer).toBe('well');
  await vi.advanceTimersByTimeAsync(0);
  expect(closed).toEqual([1]);
});

test('one slow call does not cost the others their client', async () => {
  const { connection, client, closed } = open();
  const slow = silent(connection.ask(never, 5_000), 5_000);
  await connection.ask(async () => 'well', 5_000);
  await slow;
  expect([await client(), closed]).toEqual([1, []]);
});

test('a refusal is an answer, and a deadline of gRPC itself is none', async () => {
  const { connection, client } = open();
  const fails = (code: number) => async () => {
    throw Object.assign(new Error('status'), { code });
  };
  await expect(connection.ask(fails(7), 5_000)).rejects.toThrow('status');
  expect(await client()).toBe(1);
  await expect(connection.ask(fails(4), 5_000)).rejects.toThrow('status');
  expect(await client()).toBe(2);
});

test('calls that fall silent together replace their client once', async () => {
  const { connection, client, closed } = open();
  const late = Promise.withResolvers<never>();
  const call = () => late.promise;
  const calls = Array.from({ length: 80 }, () => silent(connection.ask(call, 5_000), 5_000));
  await Promise.all(calls);
  late.reject(deadline());
  await vi.advanceTimersByTimeAsync(0);
  expect([await client(), closed]).toEqual([2, [1]]);
});

test('a closed connection opens no client', async () => {
  const { connection, closed } = open();
  await connection.held();
  await connection.close(5_000);
  expect(closed).toEqual([1]);
  await expect(connection.held()).rejects.toThrow(Unavailable);
});

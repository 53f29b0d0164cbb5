import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { Unavailable } from '../ports/faults.ts';
import { createConnection } from './connection.ts';

beforeEach(() => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
});

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
  const { connection, client, closed } = open();
  await connection.ask(async () => 'well', 5_000);
  const { replaced } = await connection.held();
  await silent(connection.ask(never, 5_000), 5_000);
  expect([await client(), closed, replaced.aborted]).toEqual([2, [1], true]);
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
  const calls = Array.from({ length: 80 }, () => silent(connection.ask(never, 5_000), 5_000));
  await Promise.all(calls);
  expect([await client(), closed]).toEqual([2, [1]]);
});

test('a closed connection opens no client', async () => {
  const { connection, closed } = open();
  await connection.held();
  await connection.close(5_000);
  expect(closed).toEqual([1]);
  await expect(connection.held()).rejects.toThrow(Unavailable);
});

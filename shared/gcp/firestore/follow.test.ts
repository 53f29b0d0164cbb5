import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { committed } from '../../../test/emulator/committed.ts';
import { randomProject, useFirestoreEmulator } from '../../../test/emulator/firestore.ts';
import { flakyLink } from '../../../test/emulator/flaky-link.ts';
import type { Backend, Row } from '../../ports/backend.ts';
import { idOf } from '../../store/cursor.ts';
import { createFirestoreBackend } from './backend.ts';
import { createConnection } from '../connection.ts';
import { type FirestoreClient, openClient } from './client.ts';
import { follow } from './follow.ts';

const projectId = randomProject();
let emulator = '';
let backend: Backend;
beforeAll(async () => {
  emulator = await useFirestoreEmulator();
  backend = createFirestoreBackend({ projectId });
});
afterAll(() => backend.close());

const idFor = (n: number): string => String(n).padStart(6, '0');
const events = (task: string) => ({
  collection: `tasks/${task}/events`,
  filters: [],
  order: undefined,
  limit: 1_000,
});

async function append(task: string, from: number, to: number): Promise<void> {
  for (let start = from; start < to; start += 250) {
    const count = Math.min(250, to - start);
    const writes = Array.from({ length: count }, (_, at) => ({
      path: `tasks/${task}/events/${idFor(start + at)}`,
      fields: { n: start + at },
      expect: 'absent' as const,
    }));
    await committed(backend, writes);
  }
}

const ids = (from: number, to: number): string[] =>
  Array.from({ length: to - from }, (_, at) => idFor(from + at));

/** Reads on until that many rows have come, then stops. */
async function collect(
  rows: AsyncIterable<readonly Row[]>,
  count: number,
  onBatch: (seen: number) => Promise<void> | void = () => {},
): Promise<string[]> {
  const seen: string[] = [];
  for await (const batch of rows) {
    seen.push(...batch.map(({ path }) => idOf(path)));
    if (seen.length >= count) break;
    await onBatch(seen.length);
  }
  return seen;
}

const never = new AbortController().signal;

async function open(silence: number) {
  const connection = createConnection<FirestoreClient>({
    what: 'Firestore',
    open: () => openClient({ projectId, databaseId: '(default)', deadline: 5_000 }),
    close: ({ firestore }) => firestore.terminate(),
  });
  onTestFinished(() => connection.close(5_000));
  const { client } = await connection.held();
  return { client, connection, listening: { connection, deadline: 5_000, silence } };
}

test('a backlog longer than one listener looks at comes whole, in order, none twice', async () => {
  await append('backlog', 0, 650);
  const all = await collect(backend.follow(events('backlog'), undefined, never), 650);
  expect(all).toEqual(ids(0, 650));
});

test('a slow reader misses nothing that is written meanwhile', async () => {
  await append('slow', 0, 10);
  let next = 10;
  const seen = await collect(backend.follow(events('slow'), undefined, never), 510, async () => {
    if (next >= 510) return;
    await append('slow', next, next + 250);
    next += 250;
  });
  expect(seen).toEqual(ids(0, 510));
});

test('news begin right behind the position', async () => {
  await append('behind', 0, 5);
  const position = { value: undefined, id: idFor(2) };
  const seen = await collect(backend.follow(events('behind'), position, never), 2);
  expect(seen).toEqual(ids(3, 5));
});

test('a listener whose connection breaks goes on by itself, without gap or repetition', async () => {
  const link = await flakyLink(emulator);
  vi.stubEnv('FIRESTORE_EMULATOR_HOST', link.host);
  const far = createFirestoreBackend({ projectId });
  onTestFinished(async () => {
    link.close();
    await far.close().catch(() => undefined);
  });
  await far.read(['tasks/none']);
  vi.unstubAllEnvs();

  await append('broken', 0, 3);
  const seen = await collect(far.follow(events('broken'), undefined, never), 9, async (count) => {
    if (count === 3) {
      link.cut();
      await append('broken', 3, 6);
      link.mend();
    } else if (count === 6) await append('broken', 6, 9);
  });
  expect(seen).toEqual(ids(0, 9));
});

test('a listener that is told nothing is found out, and another one tells what it missed', async () => {
  const { client, listening } = await open(50);
  const deaf = vi
    .spyOn(client.library.Query.prototype, 'onSnapshot')
    .mockImplementationOnce(() => () => undefined);
  onTestFinished(() => deaf.mockRestore());
  const rows = follow(listening, events('deaf'), undefined, never);
  const seen = collect(rows, 3, () => append('deaf', 2, 3));
  await append('deaf', 0, 2);
  expect(await seen).toEqual(ids(0, 3));
  // With so short a silence a listener that hears may be checked, and replaced, too.
  expect(deaf.mock.calls.length).toBeGreaterThan(1);
});

test('an abort ends it, also while a look at a silent database is under way', async () => {
  const { client, listening } = await open(20);
  const looking = Promise.withResolvers<void>();
  const late = Promise.withResolvers<never>();
  const get = vi.spyOn(client.library.Query.prototype, 'get').mockImplementationOnce(() => {
    looking.resolve();
    return late.promise;
  });
  onTestFinished(() => {
    get.mockRestore();
    // A client is closed when its calls are over.
    late.reject(new Error('late'));
  });
  const stop = new AbortController();
  const ended = collect(follow(listening, events('unseen'), undefined, stop.signal), 1);
  await looking.promise;
  stop.abort();
  expect(await ended).toEqual([]);
});

test('a look that has no answer is given up, and its client replaced', async () => {
  const { client, connection } = await open(20);
  const get = vi
    .spyOn(client.library.Query.prototype, 'get')
    .mockImplementationOnce(() => new Promise(() => {}));
  onTestFinished(() => get.mockRestore());
  const { replaced } = await connection.held();
  const listening = { connection, deadline: 50, silence: 20 };
  const seen = collect(follow(listening, events('replaced'), undefined, never), 1);
  await new Promise((resolve) => replaced.addEventListener('abort', resolve));
  await append('replaced', 0, 1);
  expect(await seen).toEqual(ids(0, 1));
});

test('an abort ends it, also while it waits for news', async () => {
  const stop = new AbortController();
  const ended = collect(backend.follow(events('quiet'), undefined, stop.signal), 1);
  stop.abort();
  expect(await ended).toEqual([]);
});

test('closing the store ends what is followed', async () => {
  const other = createFirestoreBackend({ projectId });
  await append('closing', 0, 1);
  const rows = other.follow(events('closing'), undefined, never)[Symbol.asyncIterator]();
  expect((await rows.next()).value).toHaveLength(1);
  const waiting = rows.next();
  await other.close();
  expect(await waiting).toEqual({ done: true, value: undefined });
});

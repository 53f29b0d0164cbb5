import { afterAll, beforeAll, expect, test } from 'vitest';
import { committed } from '../../../test/emulator/committed.ts';
import { randomProject, useFirestoreEmulator } from '../../../test/emulator/firestore.ts';
import type { Backend, RowQuery } from '../../ports/backend.ts';
import { idOf } from '../../store/cursor.ts';
import { createFirestoreBackend } from './backend.ts';

let backend: Backend;
beforeAll(async () => {
  await useFirestoreEmulator();
  backend = createFirestoreBackend({ projectId: randomProject() });
  const rows: [string, number | string | null | undefined][] = [
    ['a', 1],
    ['b', 2],
    ['c', 2],
    ['d', 3],
    ['no', null],
    ['none', undefined],
  ];
  const writes = rows.map(([id, dueAt]) => ({
    path: `runs/${id}`,
    fields: { shard: 1, ...(dueAt === undefined ? {} : { dueAt }) },
    expect: 'absent' as const,
  }));
  await committed(backend, writes);
});
afterAll(() => backend.close());

const due: RowQuery = {
  collection: 'runs',
  filters: [{ field: 'shard', equals: 1 }],
  order: { field: 'dueAt', direction: 'asc' },
  limit: 10,
};

async function found(query: RowQuery, after?: { value: number | undefined; id: string }) {
  return (await backend.query(query, after)).map(({ path }) => idOf(path)).join('');
}

test('rows with null in the ordered field, or without it, are neither found nor counted', async () => {
  expect(await found(due)).toBe('abcd');
  expect(await backend.count(due)).toBe(4);
});

test('a page goes on behind its position also among rows of one value', async () => {
  expect(await found(due, { value: 2, id: 'b' })).toBe('cd');
  expect(await found({ ...due, limit: 1 }, { value: 2, id: 'b' })).toBe('c');
  // Between two rows: that of the position may be gone.
  expect(await found(due, { value: 2, id: 'bb' })).toBe('cd');
});

test('bounds hold together with a position', async () => {
  const bounded = {
    ...due,
    from: { value: 1, inclusive: false },
    to: { value: 3, inclusive: false },
  };
  expect(await found(bounded)).toBe('bc');
  expect(await found(bounded, { value: 2, id: 'b' })).toBe('c');
  expect(await backend.count(bounded)).toBe(2);
});

test('a query that no index serves is refused, although the emulator would answer it', async () => {
  const query: RowQuery = { ...due, order: { field: 'dueAt', direction: 'desc' } };
  await expect(backend.query(query)).rejects.toThrow('no index of runs');
  await expect(backend.count({ ...query, filters: [] })).rejects.toThrow('no index of runs');
});

test.each(['a/events/b', '..', '__a__'])('a forged position %s is refused', async (id) => {
  await expect(backend.query(due, { value: 1, id })).rejects.toMatchObject({ advice: 'stop' });
});

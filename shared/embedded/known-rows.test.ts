import { expect, test } from 'vitest';
import { KnownRows } from './known-rows.ts';

const row = (id: string, version = 'v1') => ({ path: `tasks/${id}`, fields: { id }, version });

test('a row is known as long as its version is the one that is asked for', () => {
  const known = new KnownRows();
  const first = row('a');
  known.keep(first, 10);
  expect(known.get('tasks/a', 'v1')).toBe(first);
  expect(known.get('tasks/a', 'v2')).toBeUndefined();
  const second = row('a', 'v2');
  known.keep(second, 10);
  expect(known.get('tasks/a', 'v1')).toBeUndefined();
  expect(known.get('tasks/a', 'v2')).toBe(second);
  known.forget('tasks/a');
  expect(known.get('tasks/a', 'v2')).toBeUndefined();
});

test('what is known stays within its bound, the oldest go first, and what is forgotten counts no more', () => {
  const known = new KnownRows(20_000);
  const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
  const kept = () => names.filter((id) => known.get(`tasks/${id}`, 'v1') !== undefined).join('');
  const keep = (ids: string) => {
    for (const id of ids) known.keep(row(id), 2_000);
  };
  keep('abc');
  known.forget('tasks/b');
  keep('d');
  expect(kept()).toBe('acd');
  keep('ef');
  expect(kept()).toBe('acdef');
  keep('gh');
  expect(kept()).toBe('efgh');
  known.keep(row('large'), 20_000);
  expect(known.get('tasks/large', 'v1')).toBeUndefined();
  expect(kept()).toBe('efgh');
});

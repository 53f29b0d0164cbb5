import { expect, test } from 'vitest';
import type { Fields } from '../ports/backend.ts';
import { DecodedRows } from './decoded-rows.ts';

test('a row that is answered again is decoded once, by each codec', () => {
  const decoded = new DecodedRows();
  let times = 0;
  const codec = { decode: (fields: Fields) => ({ fields, time: (times += 1) }) };
  const other = { decode: () => 'other' };
  const row = { path: 'tasks/a', fields: { n: 1 }, version: 'v1' };
  const first = decoded.of(codec, row);
  expect(decoded.of(codec, { ...row })).toBe(first);
  expect(times).toBe(1);
  expect(decoded.of(other, row)).toBe('other');
  expect(decoded.of(codec, { ...row, fields: { n: 1 } })).not.toBe(first);
});

test('what can not be decoded is a fault each time', () => {
  const decoded = new DecodedRows();
  const codec = {
    decode: (): never => {
      throw new TypeError('unreadable');
    },
  };
  const row = { path: 'tasks/a', fields: {}, version: 'v1' };
  for (let time = 0; time < 2; time += 1)
    expect(() => decoded.of(codec, row)).toThrow('unreadable');
});

import { expect, test } from 'vitest';
import { decodeCursor, encodeCursor } from './cursor.ts';

test.each([
  { id: 'a', value: undefined },
  { id: 'ab', value: 1 },
  { id: 'abc', value: 'text' },
  { id: 'ümlaut', value: 1.5 },
])('%j comes back, and with anything behind it is no cursor', (position) => {
  const cursor = encodeCursor(position);
  expect(decodeCursor(cursor)).toEqual(position);
  for (const more of ['x', 'xx', 'A', '=', '==', ' ', '\n']) {
    expect(decodeCursor(`${cursor}${more}`)).toBeUndefined();
  }
});

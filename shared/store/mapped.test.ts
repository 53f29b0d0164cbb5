import { expect, test } from 'vitest';
import { mapped } from './mapped.ts';

function numbers(ended: string[]) {
  return (async function* count() {
    try {
      for (let n = 1; n <= 3; n += 1) yield n;
    } finally {
      ended.push('ended');
    }
  })();
}

async function read<T>(values: AsyncIterable<T>, most = 9): Promise<readonly T[]> {
  const seen: T[] = [];
  for await (const value of values) {
    seen.push(value);
    if (seen.length === most) break;
  }
  return seen;
}

test('each value is mapped, and the end is the end of its source', async () => {
  const ended: string[] = [];
  expect(await read(mapped(numbers(ended), (n) => n * 2))).toEqual([2, 4, 6]);
  expect(ended).toEqual(['ended']);
});

test('a reader that stops, and a value that can not be mapped, end the source', async () => {
  const ended: string[] = [];
  expect(
    await read(
      mapped(numbers(ended), (n) => n),
      1,
    ),
  ).toEqual([1]);
  expect(ended).toEqual(['ended']);
  const broken = mapped(numbers(ended), (n) => {
    if (n === 2) throw new TypeError('two');
    return n;
  });
  await expect(read(broken)).rejects.toThrow('two');
  expect(ended).toEqual(['ended', 'ended']);
});

test('a fault of the source is passed on', async () => {
  const failing = {
    [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(new TypeError('away')) }),
  };
  await expect(read(mapped(failing, (value) => value))).rejects.toThrow('away');
});

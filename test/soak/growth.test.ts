import { expect, test } from 'vitest';
import { grown, type Held } from './growth.ts';

const held = (more: Partial<Held> = {}): Held => ({
  megabytes: 150,
  descriptors: 40,
  rowsPerTask: 8,
  filesPerTask: 2,
  ...more,
});

test('a server that holds the same in each round has not grown, whatever the first ones were', () => {
  const rounds = Array.from({ length: 12 }, (_, at) =>
    held({ megabytes: at < 4 ? 90 + at * 20 : 150 }),
  );
  expect(grown(rounds)).toEqual([]);
});

test.each(['megabytes', 'descriptors', 'rowsPerTask', 'filesPerTask'] as const)(
  '%s that grow with each round are named',
  (name) => {
    const rounds = Array.from({ length: 12 }, (_, at) => held({ [name]: 1_000 + at * 400 }));
    expect(grown(rounds)).toEqual([`${name}: 3400, then 5000`]);
  },
);

test('too few rounds say nothing', () => {
  expect(grown([held(), held({ megabytes: 9_000 })])).toEqual([]);
});

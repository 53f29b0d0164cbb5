import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { SETTINGS } from '../../shared/domain/settings.ts';

const page = readFileSync(new URL('../../docs/limits.md', import.meta.url), 'utf8');
const rows = [...page.matchAll(/^\| `(\w+)` \| (\d+) \| ([^|]+) \| ([^|]+) \|$/gm)];

test('the page of limits has each limit with the default of the code', () => {
  const listed = Object.fromEntries(rows.map(([, name = '', value]) => [name, Number(value)]));
  const known = Object.fromEntries(
    Object.entries(SETTINGS).map(([name, { value }]) => [name, value]),
  );
  expect(listed).toEqual(
    Object.fromEntries(Object.keys(listed).map((name) => [name, known[name]])),
  );
});

test('every limit of requests, of owners and of memory is on the page', () => {
  const listed = rows.map(([, name]) => name);
  const limits = Object.keys(SETTINGS).filter((name) =>
    /^(request|owner|message|task|metadata|memory|item|answer)/.test(name),
  );
  expect(limits.filter((name) => !listed.includes(name))).toEqual([]);
});

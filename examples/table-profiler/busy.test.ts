import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type EdgeServer, edgeServer } from '../../test/edge/edge-server.ts';
import { findTable } from './find-table.ts';
import { profileTable } from './profile.ts';
import { Turns } from './turns.ts';

let edge: EdgeServer;
beforeAll(async () => {
  edge = await edgeServer();
});
afterAll(() => edge.close());

async function profile(text: string): Promise<void> {
  const turns = new Turns();
  const part = { raw: Buffer.from(text), mediaType: 'text/csv' };
  const found = await findTable([{ messageId: 'm', role: 'user', parts: [part] }], turns);
  if (found.kind === 'table') await profileTable(found.table, turns);
}

const SIZE = 2_000_000;
const filled = (piece: string): string => piece.repeat(SIZE / piece.length);
const HOSTILE: readonly (readonly [what: string, text: () => string])[] = [
  ['many short rows', () => `a,b\n${filled('1,x\n')}`],
  ['all different', () => Array.from({ length: SIZE / 16 }, (_, n) => `${n},k${n}`).join('\n')],
  ['nothing but delimiters', () => filled(',')],
  ['a stray quote in every row', () => `a,b\n${filled('x"y,z\n')}`],
  ['a quote that is never closed', () => `a,b\n"${filled('1,x\n')}`],
  ['500 columns', () => filled(`${'1,'.repeat(499)}1\n`)],
  ['one long cell', () => `a,b\n${filled('x')},1\n`],
  ['digits and commas without an end', () => `a;b\n${filled('1,')};1\n`],
];

it.each(HOSTILE)('the edge answers while a table is worked through: %s', async (_, text) => {
  const work = { done: false, turns: 0 };
  const worked = profile(text()).finally(() => {
    work.done = true;
  });
  const card = await fetch(`${edge.url}/.well-known/agent-card.json`);
  expect([card.status, work.done]).toEqual([200, false]);
  while (!work.done) {
    work.turns += 1;
    await setImmediate();
  }
  await worked;
  // There were turns for more than that one request.
  expect(work.turns).toBeGreaterThan(10);
});

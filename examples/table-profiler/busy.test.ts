import { createServer, get, type Server } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { findTable } from './find-table.ts';
import { profileTable } from './profile.ts';
import { Turns } from './turns.ts';

let server: Server;
let url: string;

beforeAll(async () => {
  server = createServer((_, response) => response.end('ok'));
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const address = server.address();
  url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
});

afterAll(() => void server.close());

async function profile(text: string): Promise<void> {
  const turns = new Turns();
  const part = { raw: Buffer.from(text), mediaType: 'text/csv' };
  const found = await findTable([{ messageId: 'm', role: 'user', parts: [part] }], turns);
  if (found.kind === 'table') await profileTable(found.table, turns);
}

const MILLION = 1_000_000;
const HOSTILE: readonly (readonly [what: string, text: () => string])[] = [
  ['many short rows', () => `a,b\n${'1,x\n'.repeat(1.5 * MILLION)}`],
  [
    'values that are all different',
    () => Array.from({ length: 500_000 }, (_, n) => `${n},k${n}`).join('\n'),
  ],
  ['nothing but delimiters', () => ','.repeat(2 * MILLION)],
  ['a stray quote in every row', () => `a,b\n${'x"y,z\n'.repeat(500_000)}`],
  ['a quote that is never closed', () => `a,b\n"${'1,x\n'.repeat(MILLION)}`],
  ['500 columns', () => `${'1,'.repeat(499)}1\n`.repeat(6_000)],
  ['one long cell', () => `a,b\n${'x'.repeat(6 * MILLION)},1\n`],
  ['digits and commas without an end', () => `a;b\n${'1,'.repeat(3 * MILLION)};1\n`],
];

it.each(HOSTILE)('requests are answered while %s are worked through', async (_, text) => {
  const work = { done: false, turns: 0 };
  const worked = profile(text()).then(() => {
    work.done = true;
  });
  const answered = await new Promise<boolean>((answer) => {
    get(url, { agent: false }, (response) => {
      response.resume().on('end', () => answer(!work.done));
    });
  });
  expect(answered).toBe(true);
  while (!work.done) {
    work.turns += 1;
    await setImmediate();
  }
  await worked;
  // One request takes some twenty turns; there were enough for several more.
  expect(work.turns).toBeGreaterThan(40);
});

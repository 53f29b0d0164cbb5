import { describe, expect, it } from 'vitest';
import type { Part } from '../domain/message.ts';
import { entryTokens } from './spoken.ts';

const picture: Part = { raw: new Uint8Array(1_000), mediaType: 'image/png', filename: 'map.png' };
const table: Part = { raw: Buffer.from('a;b'), mediaType: 'text/csv', filename: 'a.csv' };

const said = (parts: readonly Part[]) =>
  entryTokens({ role: 'user', message: { messageId: 'm', role: 'user', parts } });
const result = (parts?: readonly Part[]) =>
  entryTokens({
    role: 'tool',
    callId: 'c',
    name: 'draw',
    status: 'ok',
    value: { file: 'map.png' },
    ...(parts && { parts }),
  });

describe('how many tokens an entry is thought to be', () => {
  it('counts each picture of a client', () => {
    expect(said([picture, picture]) - said([picture])).toBeGreaterThanOrEqual(2_000);
  });

  it('counts each picture of a result, and no text file, which is only told there', () => {
    expect(result([picture, picture, table])).toBe(result() + 4_000);
    expect(result([table, { text: 'x' }])).toBe(result());
  });
});

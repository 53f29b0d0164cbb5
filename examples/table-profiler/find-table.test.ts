import { describe, expect, it } from 'vitest';
import type { Message, Part } from 'holdfast/agent';
import { type Found, findTable } from './find-table.ts';
import { Turns } from './turns.ts';

const message = (...parts: Part[]): Message => ({ messageId: 'm', role: 'user', parts });
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const find = (...newestFirst: Message[]): Promise<Found> => findTable(newestFirst, new Turns());
const question = async (...parts: Part[]): Promise<string> => {
  const found = await find(message(...parts));
  if (found.kind === 'table') throw new Error('found a table');
  return found.question;
};

describe('a table is found', () => {
  it.each<[string, Part]>([
    [
      'a CSV file',
      { raw: bytes('a,b\n1,2'), mediaType: 'text/csv; charset=utf-8', filename: 'x.csv' },
    ],
    ['a TSV file', { raw: bytes('a\tb\n1\t2'), mediaType: 'text/tab-separated-values' }],
    [
      'bytes named .csv',
      { raw: bytes('a,b\n1,2'), mediaType: 'application/octet-stream', filename: 'X.CSV' },
    ],
    [
      'a CSV that Windows takes for a workbook',
      { raw: bytes('a;b\n1;2'), mediaType: 'application/vnd.ms-excel', filename: 'x.csv' },
    ],
    ['pasted lines', { text: 'name,age\nAda,36' }],
    [
      'pasted lines in a fence',
      { text: 'Please profile this, thanks:\n\n```csv\na,b\n1,2\n```\nBye' },
    ],
    ['pasted lines below a sentence', { text: 'Please look at this:\n\na,b\n1,2' }],
    ['text that says it is CSV', { text: 'only one column\nx', mediaType: 'text/csv' }],
  ])('in %s', async (_, part) => {
    expect(await find(message({ text: 'Here it is' }, part))).toMatchObject({ kind: 'table' });
  });

  it('in an earlier message when the newest only refers to it', async () => {
    const earlier = message({
      raw: bytes('a,b\n1,2'),
      mediaType: 'text/csv',
      filename: 'dir/old.csv',
    });
    const found = await find(message({ text: 'the file I sent before' }), earlier);
    expect(found).toMatchObject({ kind: 'table', name: 'old.csv' });
  });

  it('in the newest message that has one, the first of several, and the others are counted', async () => {
    const file = (name: string): Part => ({
      raw: bytes('a,b\n1,2'),
      mediaType: 'text/csv',
      filename: name,
    });
    const found = await find(
      message(file('new.csv'), file('second.csv')),
      message(file('old.csv')),
    );
    expect(found).toMatchObject({ name: 'new.csv', more: 1 });
  });

  it('and a file goes before text that could be a table', async () => {
    const found = await find(
      message({ text: 'a,b\n1,2' }, { raw: bytes('c\n3'), mediaType: 'text/csv' }),
    );
    expect(found).toMatchObject({ table: { columns: ['c'] } });
  });
});

describe('a question is asked', () => {
  it('when no table came, prose with commas included', async () => {
    const prose = 'Hello there, my friend\nPlease profile my table, thanks';
    for (const text of ['Profile my table', prose, '1,2\n3,4', '']) {
      expect(await question({ text })).toMatch(/^Send me a table/);
    }
  });

  it('when only an address came: nothing is fetched', async () => {
    expect(await question({ url: 'https://example.com/x.csv' })).toMatch(
      /^I don't fetch addresses/,
    );
  });

  it('when the file is of another kind, by name or by content', async () => {
    const raw = Uint8Array.from([0x50, 0x4b, 3, 4]);
    expect(await question({ raw, mediaType: 'application/zip', filename: 'a.zip' })).toContain(
      "I can't read a.zip. It seems to be an Excel workbook or another ZIP file.",
    );
    expect(await question({ raw, mediaType: 'text/csv', filename: 'a.csv' })).toContain(
      'Excel workbook',
    );
  });

  it('and what the agent itself said before is never taken for a table', async () => {
    const own: Message = { messageId: 'q', role: 'agent', parts: [{ text: 'a,b\n1,2' }] };
    expect(await find(message({ text: 'ok' }), own)).toMatchObject({ kind: 'question' });
  });
});

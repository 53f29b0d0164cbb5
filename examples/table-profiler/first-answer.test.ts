import { describe, expect, it } from 'vitest';
import type { Message, Part } from 'holdfast/agent';
import { findTable } from './find-table.ts';
import { profileTable } from './profile.ts';
import { summarize } from './report/summary.ts';
import { Turns } from './turns.ts';

type Answer = { readonly words: string; readonly columns: readonly string[] };

const file = (content: string | Uint8Array, mediaType?: string, filename?: string): Part => ({
  raw: typeof content === 'string' ? Buffer.from(content) : content,
  ...(mediaType !== undefined && { mediaType }),
  ...(filename !== undefined && { filename }),
});
const from = (...parts: Part[]): Message => ({ messageId: 'm', role: 'user', parts });

/**
 * What the sender reads: the answer, or `? ` and the question; with the columns and the type of
 * each.
 */
async function answer(...newestFirst: Message[]): Promise<Answer> {
  const turns = new Turns();
  const found = await findTable(newestFirst, turns);
  if (found.kind === 'question') return { words: `? ${found.question}`, columns: [] };
  const profile = await profileTable(found.table, turns);
  const columns = profile.columns.map(({ name, type }) => `${name} ${type}`);
  return { words: summarize(profile, found.name, found.more), columns };
}

const toCsv = (text: string | Uint8Array, mediaType = 'text/csv'): Promise<Answer> =>
  answer(from(file(text, mediaType)));

describe('what was left out, mended or guessed is in the answer', () => {
  it.each([
    [
      'a,b\n1,2\n4,5,6,7\n8,9\n',
      '1 row with more than 2 cells: the surplus was left out (line 3).',
    ],
    [
      'a,b,c\n1,2,3\n4,5\n6,7,8\n',
      '1 row with fewer than 3 cells: the missing are empty (line 3).',
    ],
    ['a,b\n1,2,\n3,4,\n', '2 rows with more than 2 cells: the empty surplus was left out'],
    ['a,b,\n1,2,3\n', 'Columns without a name of their own: column_3.'],
    ['a,a\n1,2\n', 'Columns without a name of their own: a_2.'],
    ['1,2\n3,4\n', 'The first line looks like data, so the columns were numbered.'],
    ['a,b\n1,2\n\n3,4\n\n', 'Left out: 1 blank line (line 3).'],
    [
      'name\nSmith, John\nDoe, Jane\n',
      'Nothing parts all its lines alike, so each was read as one',
    ],
    ['a,b\n12" pipe,2\n3,4\n', 'Quotes in the middle of a cell were read as ordinary characters'],
    ['a,b\nNA,1\n\\N,2\n<NA>,3\nNone,4\n', '(50%) are missing, some written NA, \\N, <NA>, None.'],
  ])('%j', async (text, words) => {
    const { words: said } = await toCsv(text);
    expect(said).toContain(words);
    expect(said).not.toContain('Nothing in its columns looks odd');
  });

  it('so are the rows beyond the limit', async () => {
    const { words } = await toCsv(`n,m\n${'x,1\n'.repeat(200_001)}`);
    expect(words).toContain('more than 200,000 rows, of which the first 200,000 were read, and 2');
  });

  it('a table of which nothing had to be guessed says just what it is', async () => {
    const { words } = await toCsv('name,n\nAda,1\nMei,2\n');
    expect(words).toBe(
      'The table has 2 rows and 2 columns; no cell is missing. Nothing in its columns looks odd.',
    );
  });
});

describe('blank lines', () => {
  it('in a single column are rows without a value', async () => {
    const { words } = await toCsv('age\n31\n\n42\n\n27\n');
    expect(words).toContain('5 rows and 1 column; 2 of 5 cells (40%) are missing.');
    expect(words).toContain('Counted as rows without a value: 2 blank lines (lines 3, 5).');
  });
});

describe('what seems to be no CSV is asked for as one', () => {
  it.each([
    ['<!DOCTYPE html>\n<html><body>x</body></html>', 'an HTML page'],
    ['\n<html lang="en">', 'an HTML page'],
    ['<?xml version="1.0"?>\n<a><b c="1,2"/></a>\n', 'XML'],
    ['[{"a":1,"b":"x"},{"a":2,"b":"y"}]', 'JSON'],
    ['{\n  "a": [1, 2]\n}', 'JSON'],
    ['{"a":1}\n{"a":2}\n', 'JSON'],
    ['CREATE TABLE x (a int, b int);\nINSERT INTO x VALUES (1, 2);\n', 'SQL'],
    ['-- a dump\nINSERT INTO x VALUES (1, 2);\n', 'SQL'],
    ['| a | b |\n| --- | ---: |\n| 1 | 2 |\n', 'a table drawn with lines'],
    [' a | b\n---+---\n 1 | 2\n', 'a table drawn with lines'],
    ['{\\rtf1\\ansi a,b}', 'a text in RTF'],
    ['%PDF-1.7\n', 'a PDF'],
    ['PK\u0003\u0004', 'an Excel workbook'],
    ['SQLite format 3\0', 'an SQLite database'],
  ])('%j', async (text, what) => {
    expect((await toCsv(text)).words).toContain(`? I can't read the table. It seems to be ${what}`);
    expect((await answer(from({ text }))).words).toMatch(/^\? .*It seems to be/);
  });

  it.each([
    '<TICKER>,<DATE>\nA,20240101\nB,20240102\n',
    'insert,update\n1,2\n',
    '"{a}",b\n1,2\n',
    'select,from\n1,2\n',
  ])('but %j is one', async (text) => {
    expect((await toCsv(text)).columns).toHaveLength(2);
  });
});

describe('what parts the cells is asked for where it can not be told, and taken from the answer', () => {
  const quoted = '"id,name,n"\n"1,Ada,3"\n"2,Mei,4"\n';
  const ragged = 'name,city,zip\nAda,Bonn\nMei,Ulm,89073,extra\nBo\nKim,Kiel,24103\n';
  it.each([
    [quoted, 'Each of its lines is one cell that holds ","', 'one column', ['id,name,n text']],
    [ragged, 'Parted by comma, its lines have 3, 2, 4, 1 cells', 'comma', 3],
    ['a:b:c\n1:2:3\n4:5:6\n', 'one cell that holds ":"', ':', ['a number', 'b number', 'c number']],
    [
      '"x","y"\n"r1",1,2\n"r2",3,4\n',
      'Its header has 2 names',
      'first',
      ['column_1 text', 'x number', 'y number'],
    ],
    [
      'x,y\n1,2,z\n3,4,w\n',
      'Its header has 2 names',
      'Last.',
      ['x number', 'y number', 'column_3 text'],
    ],
    ['a,b\n"12 inch,1\n"x, y",2\n', "The quotes near line 3 don't add up", 'quotes are text', 2],
    ['a,b\n"open,1\n2,3\n', "The quotes near line 3 don't add up", 'quotes are text', 2],
  ] as const)('%j', async (text, asks, said, columns) => {
    const sent = from(file(text, 'text/csv'));
    expect((await answer(sent)).words).toContain(asks);
    const { columns: found } = await answer(from({ text: said }), sent);
    if (typeof columns === 'number') expect(found).toHaveLength(columns);
    else expect(found).toEqual(columns);
  });

  it.each([
    ['a^b^c\n1^2^3\n4^5^6\n', 3],
    ['"sep=;"\na;b\n1;2\n3;4\n', 2],
    ['sep=#\na#b\n1#2\n', 2],
    ['a,b\n"he said \\"hi\\", ok",2\n3,4\n', 2],
  ])('%j is read without a question', async (text, columns) => {
    expect((await toCsv(text)).columns).toHaveLength(columns);
  });

  it('quotes that are escaped by backslashes keep the rest of their cell', async () => {
    const { words } = await toCsv('a,b\n"he said \\"hi\\", ok",2\n3,4\n');
    expect(words).toContain('2 rows and 2 columns; no cell is missing. Quotes within cells were');
  });
});

describe('lines before the table are left out, and told', () => {
  it.each([
    [
      '# by tool, version 2\nid,name,n\n1,a,2\n2,b,3\n3,c,4\n',
      ['id number', 'name text', 'n number'],
    ],
    ['# a, b\nid,n\n1,2\n3,4\n', ['id number', 'n number']],
    [
      'Report,Sales\nDate,2024-01-01\n\nregion,month,amount\nN,1,10\nS,2,20\n',
      ['region text', 'month number', 'amount number'],
    ],
    [
      'Stock of May\n\nsku,name,count\nx,bolt,2\ny,nut,3\n',
      ['sku text', 'name text', 'count number'],
    ],
  ])('%j', async (text, columns) => {
    const answered = await toCsv(text);
    expect(answered.columns).toEqual(columns);
    expect(answered.words).toMatch(/Left out: \d lines? before the table/);
  });

  it('but a # before the first name is part of the header', async () => {
    expect((await toCsv('#id,name\n1,a\n2,b\n')).columns).toEqual(['#id number', 'name text']);
  });
});

describe('the media type and the name', () => {
  const cyrillic = Buffer.from('6e616d652c6e0ac0ede02c310acee3e02c320a', 'hex');

  it('name the encoding, or the answer does', async () => {
    const told = await toCsv(cyrillic, 'text/csv; charset=windows-1251');
    expect(told.words).toContain('2 rows and 2 columns; no cell is missing.');
    expect((await toCsv(cyrillic)).words).toContain("I can't tell its encoding");
    const sent = from(file(cyrillic, 'text/csv'));
    expect((await answer(from({ text: 'windows-1251' }), sent)).columns).toHaveLength(2);
    expect((await toCsv('a,b\n', 'text/csv; charset=klingon')).words).toContain('"klingon"');
  });

  it('say whether there is a header', async () => {
    expect((await toCsv('a,b\nc,d\n', 'text/csv; header=absent')).columns).toEqual([
      'column_1 text',
      'column_2 text',
    ]);
    expect((await toCsv('1,2\n3,4\n', 'text/csv;header=present')).columns).toEqual([
      '1 number',
      '2 number',
    ]);
  });

  it.each([
    ['text/comma-separated-values', undefined],
    ['text/x-csv', undefined],
    ['application/x-csv', undefined],
    ['text/plain', 'x.txt'],
    ['application/vnd.ms-excel', 'x.csv'],
    ['application/octet-stream', undefined],
    [undefined, undefined],
  ])('%s %s is a table', async (mediaType, filename) => {
    const { columns } = await answer(from(file('a,b\n1,2\n', mediaType, filename)));
    expect(columns).toEqual(['a number', 'b number']);
  });

  it('text/tsv is a table, too', async () => {
    expect((await toCsv('a\tb\n1\t2\n', 'text/tsv')).columns).toEqual(['a number', 'b number']);
  });
});

describe('values', () => {
  it.each([
    ['exponents of whole numbers', 'x,y\n1e-05,1\n2e-05,2\n3.5e-05,3\n', ['x number', 'y number']],
    ['codes with an E in them', 'x,y\n12E4,1\n3E05,2\n', ['x text', 'y number']],
    ...[' ', '\u00a0', '\u202f', "'"].map((space): [string, string, string[]] => [
      `thousands parted by ${JSON.stringify(space)}`,
      `p;prix\nA;1${space}234,50\nB;2${space}345,75\n`,
      ['p text', 'prix number'],
    ]),
    ['missing ones as programs write them', 'a,b\n1,.\n#NA,2\nnil,3\n', ['a number', 'b number']],
    ['a cell as long as it likes', `a,b\n${'x'.repeat(100_000)},1\n`, ['a text', 'b number']],
  ])('%s', async (_, text, columns) => {
    expect((await toCsv(text)).columns).toEqual(columns);
  });
});

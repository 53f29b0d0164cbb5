import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readTable } from './read-table.ts';
import { LIMITS, type Table } from './table.ts';

function tableOf(source: Uint8Array | string): Table {
  const reading = readTable(source);
  if (reading.kind === 'problem') throw new Error(reading.problem.message);
  return reading.table;
}

const fixture = (name: string): Table =>
  tableOf(readFileSync(new URL(`../../test/fixtures/tables/${name}`, import.meta.url)));
const cellsOf = (table: Table): readonly (readonly string[])[] =>
  table.rows.map(({ cells }) => cells);
const codesOf = (table: Table): readonly string[] => table.notes.map(({ code }) => code);

describe('encodings', () => {
  it('a European export without a mark is read as Windows-1252, and says so', () => {
    const table = fixture('orders-european.csv');
    expect(table).toMatchObject({ encoding: 'windows-1252', delimiter: 'semicolon' });
    expect(table.columns).toContain('Einzelpreis');
    expect(cellsOf(table)[0]?.[2]).toBe('Bäckerei Huber');
    expect(codesOf(table)).toEqual(['encoding-guessed']);
  });

  it('a byte order mark is no part of the first column name', () => {
    expect(fixture('sensors-bom.csv')).toMatchObject({ encoding: 'utf-8', notes: [] });
    expect(fixture('sensors-bom.csv').columns[0]).toBe('station');
  });

  it('UTF-16 is read by its mark, in either byte order', () => {
    const little = fixture('inventory-utf16.csv');
    expect(little).toMatchObject({ encoding: 'utf-16le', columns: ['Item', 'Count'] });
    const big = Buffer.from('\ufeffItem,Count\nŁódź,3', 'utf16le').swap16();
    expect(tableOf(big)).toMatchObject({ encoding: 'utf-16be', columns: ['Item', 'Count'] });
  });

  it('a workbook, a picture and other binary files are refused with advice', () => {
    for (const bytes of [
      [0x50, 0x4b, 3, 4, 20],
      [0x25, 0x50, 0x44, 0x46, 0x2d],
      [1, 0, 2, 0],
    ]) {
      const reading = readTable(Uint8Array.from(bytes));
      expect(reading).toMatchObject({ kind: 'problem', problem: { code: 'not-text' } });
    }
  });
});

describe('delimiters', () => {
  it.each([
    ['a,b\n1,2\n', 'comma'],
    ['a;b;c\n1,5;2,5;3,5\n', 'semicolon'],
    ['1,5;2,5;3,5\n2,5;3,5;4,5\n', 'semicolon'],
    ['a\tb\nx, y\tz, w\n', 'tab'],
    ['a|b\n1|2\n', 'pipe'],
    ['a,b\n"x;y;z",1\n"u;v;w",2\n', 'comma'],
    ['name\nSmith, John\nDoe, Jane\n', 'none'],
    ['Names and towns\n\nname,town\nAda,London\nMei,Osaka\n', 'comma'],
    ['just a line of prose', 'none'],
    ['sep=;\na;b,c\n1;2,5\n', 'semicolon'],
  ])('%j is parted by %s', (text, delimiter) => {
    expect(tableOf(text).delimiter).toBe(delimiter);
  });

  it("Excel's own first line names the delimiter and is no row", () => {
    const table = tableOf('sep=|\na|b\n1|2');
    expect(table).toMatchObject({ columns: ['a', 'b'], rows: [{ line: 3, cells: ['1', '2'] }] });
  });
});

describe('headers', () => {
  it.each([
    ['names over numbers', 'city,people\nBern,134000', true],
    ['names over names', 'city,country\nBern,CH\nGraz,AT', true],
    ['years over numbers', 'chapter,2023,2024\nHillside,35,41', true],
    ['numbers over numbers', '1,2\n3,4', false],
    ['a row like the others', 'Bern,134000\nGraz,295000', false],
    ['a word that recurs', 'yes,no\nyes,yes\nno,yes', false],
  ])('%s: header %#', (_, text, hasHeader) => {
    expect(tableOf(text).hasHeader).toBe(hasHeader);
  });

  it('without a header the columns are numbered, and a note says so', () => {
    const table = tableOf('1,2\n3,4');
    expect(table.columns).toEqual(['column_1', 'column_2']);
    expect(codesOf(table)).toEqual(['no-header']);
  });

  it('repeated and empty names become unique without taking a name that is there', () => {
    const table = tableOf('a,a,,a_2,column_3\n1,2,3,4,5');
    expect(table.columns).toEqual(['a', 'a_3', 'column_3_2', 'a_2', 'column_3']);
    expect(codesOf(table)).toEqual(['empty-name', 'repeated-name']);
  });

  it('title lines above the header are left out and told', () => {
    const table = tableOf('Stock of May\n\nsku,name,count\n1,bolt,2\n2,nut,3');
    expect(table.columns).toEqual(['sku', 'name', 'count']);
    expect(table.notes).toMatchObject([{ code: 'title-lines', lines: [1] }]);
  });
});

describe('rows', () => {
  it('quotes keep delimiters, line ends and quotes', () => {
    const cells = cellsOf(fixture('reviews-quoted.csv'));
    expect(cells[0]).toEqual([
      '1',
      'Okafor, Ada',
      '5',
      'Arrived early.\nWorks as described.',
      '2024-11-02',
    ]);
    expect(cells[1]?.[3]).toBe('He said "fine", I say no.');
    expect(fixture('reviews-quoted.csv').rows.map(({ line }) => line)).toEqual([2, 4, 5, 9, 10]);
  });

  it('ragged rows are fitted to the table and told with their lines', () => {
    const table = fixture('stock-ragged.csv');
    expect(table.notes).toMatchObject([
      { code: 'short-rows', lines: [3, 6] },
      { code: 'long-rows', lines: [5, 9] },
    ]);
    expect(new Set(cellsOf(table).map((cells) => cells.length))).toEqual(new Set([4]));
  });

  it('an empty file is a table without columns, and a header alone one without rows', () => {
    for (const text of ['', '\n\n', '\ufeff']) {
      expect(tableOf(text)).toMatchObject({ columns: [], rows: [] });
    }
    expect(tableOf('name,age\n')).toMatchObject({ columns: ['name', 'age'], rows: [] });
  });

  it('a table of generated cells comes back as it was', () => {
    const cell = fc
      .string({ unit: 'grapheme', maxLength: 10 })
      .filter((text) => !/[\0\ufeff]/.test(text));
    const rows = fc.integer({ min: 2, max: 5 }).chain((width) =>
      fc.array(fc.array(cell, { minLength: width, maxLength: width }), {
        minLength: 1,
        maxLength: 9,
      }),
    );
    fc.assert(
      fc.property(rows, fc.constantFrom(',', ';', '\t', '|'), (cells, delimiter) => {
        const header = cells[0]?.map((_, index) => `name of column ${index}`) ?? [];
        const quote = (text: string): string => `"${text.replaceAll('"', '""')}"`;
        const text = [header, ...cells].map((row) => row.map(quote).join(delimiter)).join('\n');
        const table = tableOf(text);
        expect(table.columns).toEqual(header);
        expect(cellsOf(table)).toEqual(cells);
      }),
    );
  });
});

describe('limits', () => {
  it('surplus rows are left out and told', () => {
    const reading = readTable('a,b\n1,2\n3,4\n5,6', { ...LIMITS, rows: 2 });
    expect(reading).toMatchObject({
      table: {
        rows: [{ cells: ['1', '2'] }, { cells: ['3', '4'] }],
        notes: [{ code: 'rows-left-out' }],
      },
    });
    expect(readTable('a,b\n1,2\n3,4', { ...LIMITS, rows: 2 })).toMatchObject({
      table: { notes: [] },
    });
  });

  it.each([
    ['too-many-bytes', { bytes: 5 }],
    ['too-many-columns', { columns: 1 }],
    ['cell-too-long', { cellCharacters: 4 }],
  ])('%s is a problem in words', (code, limit) => {
    const reading = readTable('a,b\n12345,2', { ...LIMITS, ...limit });
    expect(reading).toMatchObject({ kind: 'problem', problem: { code } });
  });
});

import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { profileTable, type TableProfile } from './profile.ts';
import { readTable } from './read-table.ts';
import { LIMITS, type Table } from './table.ts';
import { Turns } from './turns.ts';

async function tableOf(source: Uint8Array | string, limits = LIMITS): Promise<Table> {
  const reading = await readTable(source, new Turns(), {}, limits);
  if (reading.kind === 'question') throw new Error(reading.question);
  return reading.table;
}

const fixture = (name: string): Promise<Table> =>
  tableOf(readFileSync(new URL(`../../test/fixtures/tables/${name}`, import.meta.url)));
const cellsOf = ({ rows }: Table): readonly (readonly string[])[] => rows.map(({ cells }) => cells);

describe('encodings', () => {
  it('a European export without a mark is read by its letters, and says so', async () => {
    const table = await fixture('orders-european.csv');
    expect(table).toMatchObject({ encoding: 'windows-1252', delimiter: 'semicolon' });
    expect(cellsOf(table)[0]?.[2]).toBe('Bäckerei Huber');
    expect(table.notes[0]?.message).toMatch(/read as windows-1252: check words such as "Bäckerei"/);
  });

  it('a byte order mark is no part of the first column name, and names the encoding', async () => {
    expect((await fixture('sensors-bom.csv')).columns[0]).toBe('station');
    expect(await fixture('inventory-utf16.csv')).toMatchObject({ columns: ['Item', 'Count'] });
    const big = Buffer.from('\ufeffItem,Count\nŁódź,3', 'utf16le').swap16();
    expect(await tableOf(big)).toMatchObject({ encoding: 'utf-16be', columns: ['Item', 'Count'] });
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
    ['sep=#\na#b\n1#2\n', '#'],
  ])('%j is parted by %s', async (text, delimiter) => {
    expect((await tableOf(text)).delimiter).toBe(delimiter);
  });

  it("Excel's own first line names the delimiter and is no row", async () => {
    const table = await tableOf('sep=|\na|b\n1|2');
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
  ])('%s: header %#', async (_, text, hasHeader) => {
    expect((await tableOf(text)).hasHeader).toBe(hasHeader);
  });

  it('repeated and empty names become unique without taking a name that is there', async () => {
    const { columns } = await tableOf('a,a,,a_2,column_3\n1,2,3,4,5');
    expect(columns).toEqual(['a', 'a_3', 'column_3_2', 'a_2', 'column_3']);
  });
});

describe('rows', () => {
  it('quotes keep delimiters, line ends and quotes, and rows their lines', async () => {
    const table = await fixture('reviews-quoted.csv');
    const [first, second] = cellsOf(table);
    expect(first?.slice(1, 4)).toEqual(['Okafor, Ada', '5', 'Arrived early.\nWorks as described.']);
    expect(second?.[3]).toBe('He said "fine", I say no.');
    expect(table.rows.map(({ line }) => line)).toEqual([2, 4, 5, 9, 10]);
  });

  it('ragged rows are fitted to the table and told with their lines', async () => {
    const table = await fixture('stock-ragged.csv');
    expect(table.notes.map(({ lines }) => lines)).toEqual([[7], [3, 6], [5, 9]]);
    expect(new Set(cellsOf(table).map((cells) => cells.length))).toEqual(new Set([4]));
  });

  it('an empty file is a table without columns, and a header alone one without rows', async () => {
    for (const text of ['', '\n\n', '\ufeff']) {
      expect(await tableOf(text)).toMatchObject({ columns: [], rows: [], notes: [] });
    }
    expect(await tableOf('name,age\n')).toMatchObject({ columns: ['name', 'age'], rows: [] });
  });

  it('a table of generated cells comes back as it was, whatever ends its lines', async () => {
    const cell = fc
      .string({ unit: 'grapheme', maxLength: 10 })
      .filter((text) => !/[\0\ufeff\r]/.test(text));
    const rows = fc.integer({ min: 2, max: 5 }).chain((width) => {
      const cells = fc.array(cell, { minLength: width, maxLength: width });
      return fc.array(cells, { minLength: 1, maxLength: 9 });
    });
    const delimiters = fc.constantFrom(',', ';', '\t', '|', '^');
    const ends = fc.constantFrom('\n', '\r\n', '\r');
    await fc.assert(
      fc.asyncProperty(rows, delimiters, ends, async (cells, delimiter, end) => {
        const header = cells[0]?.map((_, index) => `name of column ${index}`) ?? [];
        const quote = (text: string): string => `"${text.replaceAll('"', '""')}"`;
        const text = [header, ...cells].map((row) => row.map(quote).join(delimiter)).join(end);
        const table = await tableOf(text);
        expect(table.columns).toEqual(header);
        expect(cellsOf(table)).toEqual(cells);
      }),
    );
  });

  it('arbitrary text never throws, and gives the same profile each time, in JSON without loss', async () => {
    const profileOf = async (text: string): Promise<TableProfile | undefined> => {
      const reading = await readTable(text, new Turns());
      return reading.kind === 'table' ? profileTable(reading.table, new Turns()) : undefined;
    };
    const pieces = 'a1,;\t|\n\r"- =é^#.'
      .split('')
      .concat(['1,5', '2024-01-31', '01/02/2024', '1e999', '\\"']);
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 200 }),
      fc.array(fc.constantFrom(...pieces), { maxLength: 80 }).map((parts) => parts.join('')),
    );
    await fc.assert(
      fc.asyncProperty(text, async (input) => {
        const profile = await profileOf(input);
        expect(await profileOf(input)).toEqual(profile);
        if (profile !== undefined) expect(JSON.parse(JSON.stringify(profile))).toEqual(profile);
      }),
      { numRuns: 500 },
    );
  });
});

describe('limits', () => {
  it('surplus rows and cells are left out and told', async () => {
    const text = `a,b\n${'1,2\n'.repeat(100)}`;
    expect(await tableOf(text, { ...LIMITS, rows: 2 })).toMatchObject({ more: true });
    expect((await tableOf(text, { ...LIMITS, rows: 2 })).rows).toHaveLength(2);
    expect(await tableOf(text, { ...LIMITS, rows: 100 })).toMatchObject({ more: false });
    expect(await tableOf(text, { ...LIMITS, cells: 50 })).toMatchObject({ more: true });
  });

  it('surplus bytes and columns are a question that names the limit', async () => {
    await expect(tableOf('a,b\n1,2', { ...LIMITS, bytes: 5 })).rejects.toThrow('at most 5');
    await expect(tableOf('a,b\n1,2', { ...LIMITS, columns: 1 })).rejects.toThrow('at most 1');
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DELIMITERS } from '../table.ts';
import { parseRecords } from './parse-records.ts';

const cell = fc
  .oneof(
    fc.string({ unit: 'binary', maxLength: 12 }),
    fc.constantFrom('', 'a "quoted" word', 'two\nlines', 'two\r\nlines', ' padded ', ',;\t|', '"'),
  )
  .map((text) => text.replaceAll('\0', ''));
const rowsOfCells = fc.integer({ min: 1, max: 5 }).chain((width) =>
  fc.array(fc.array(cell, { minLength: width, maxLength: width }), {
    minLength: 1,
    maxLength: 8,
  }),
);

describe('parsing', () => {
  it('gives back every cell of a table that was written with quotes', () => {
    fc.assert(
      fc.property(
        rowsOfCells,
        fc.constantFrom(...DELIMITERS),
        fc.constantFrom('\n', '\r\n', '\r'),
        (rows, { name, character }, end) => {
          const quote = (text: string): string => `"${text.replaceAll('"', '""')}"`;
          const text = rows.map((cells) => cells.map(quote).join(character)).join(end);
          const { records, strayQuotes } = parseRecords(text, name, 1000);
          expect(records.map(({ cells }) => cells)).toEqual(rows);
          expect(strayQuotes).toEqual([]);
        },
      ),
    );
  });

  it('tells the line at which a row starts, past blank lines and line ends within quotes', () => {
    const text = 'a,b\r\n\r\n"x\r\ny",1\r\n  \r\n3,4\r"p\nq",5\n6,7';
    const { records } = parseRecords(text, 'comma', 100);
    expect(records.map(({ line }) => line)).toEqual([1, 3, 6, 7, 9]);
  });

  it('counts a row of nothing but tabs as a row of empty cells', () => {
    const { records } = parseRecords('a\tb\n\t\nc\td', 'tab', 100);
    expect(records).toEqual([
      { line: 1, cells: ['a', 'b'] },
      { line: 2, cells: ['', ''] },
      { line: 3, cells: ['c', 'd'] },
    ]);
  });

  it('takes a quote that is never closed as a character, and only in its own row', () => {
    const { records, strayQuotes } = parseRecords('a,b\n"12 inch,1\n"x, y",2\n', 'comma', 100);
    expect(records.map(({ cells }) => cells)).toEqual([
      ['a', 'b'],
      ['"12 inch', '1'],
      ['x, y', '2'],
    ]);
    expect(strayQuotes).toEqual([2]);
  });

  it('reads quotes that follow a space after the delimiter', () => {
    const { records } = parseRecords('a, "b, c" ,d', 'comma', 100);
    expect(records[0]?.cells).toEqual(['a', 'b, c', 'd']);
  });

  it('ends in bounded work when every row has a stray quote', () => {
    const rows = Array.from({ length: 3000 }, (_, index) => `"a"b${index},"c`);
    const { records } = parseRecords(rows.join('\n'), 'comma', 10_000);
    expect(records).toHaveLength(3000);
  });

  it('stops at the number of rows that was asked for', () => {
    expect(parseRecords('1\n2\n3\n4', 'none', 2).records).toHaveLength(2);
  });
});

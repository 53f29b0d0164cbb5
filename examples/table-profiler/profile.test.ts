import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { ColumnProfile } from './columns/column.ts';
import { profileTable } from './profile.ts';
import { readTable } from './read-table.ts';
import type { Table } from './table.ts';
import { Turns } from './turns.ts';

async function tableOf(source: Uint8Array | string): Promise<Table> {
  const reading = await readTable(source, new Turns());
  if (reading.kind === 'question') throw new Error(reading.question);
  return reading.table;
}

async function columnOf(cells: readonly string[], delimiter = ','): Promise<ColumnProfile> {
  const row = (cell: string): string => `"${cell.replaceAll('"', '""')}"${delimiter}x`;
  const text = ['value', ...cells].map(row).join('\n').replace(/x/, 'other');
  const { columns } = await profileTable(await tableOf(text), new Turns());
  if (columns[0] === undefined) throw new Error('no column');
  return columns[0];
}

const warningsOf = async (cells: readonly string[]): Promise<string> =>
  (await columnOf(cells)).warnings.map(({ message }) => message).join('. ');

describe('types', () => {
  it.each([
    ['number', ['1', '-2', '+3', '0', '\u22124']],
    ['number', ['1', '2.5', '.5', '1.2e-3', '1e+20']],
    ['number', ['1,234,567', '12']],
    ['text', ['1,5', '2,75']],
    ['text', ['00742', '10115']],
    ['text', ['4111111111111111', '4111111111111112']],
    ['text', ['$5', '6 %', '(7)', '8-']],
    ['text', ['NO', 'SE', 'DK']],
    ['date', ['2024-02-29', '2024/3/1']],
    ['date', ['31.12.2023', '1.1.2024']],
    ['text', ['2023-02-29', '31.02.2024', '2024-13-01']],
    ['date', ['2024-02-29T10:00:00Z', '2024-02-29 23:59']],
    ['text', ['a@b.example', 'c@d.example']],
    ['empty', ['', 'NA', 'n/a', 'NULL', '-', '#N/A']],
  ])('%s: %j', async (type, cells) => {
    expect((await columnOf(cells)).type).toBe(type);
  });

  it('reads decimal commas and dots as thousands where semicolons part the cells', async () => {
    const column = await columnOf(['1.234,50', '0,5', '1.000'], ';');
    expect(column.numbers).toMatchObject({ min: 0.5, max: 1234.5, median: 1000 });
    expect((await columnOf(['1.234', '2.5'], ';')).numbers).toMatchObject({ min: 1.234, max: 2.5 });
  });

  it('keeps the type of nine in ten values, leaves the others out of the statistics and tells their lines', async () => {
    const numbers = Array.from({ length: 18 }, (_, n) => String(n));
    const column = await columnOf([...numbers, 'many', 'few']);
    expect(column).toMatchObject({ type: 'number', count: 20, numbers: { count: 18, max: 17 } });
    expect(column.warnings).toMatchObject([{ lines: [20, 21] }]);
  });

  it('takes the order of day and month from the dates that allow only one', async () => {
    const dayFirst = await columnOf(['03/04/2024', '25/04/2024']);
    expect(dayFirst.dates).toEqual({ earliest: '2024-04-03', latest: '2024-04-25' });
    const monthFirst = await columnOf(['03/04/2024', '04/25/2024']);
    expect(monthFirst.dates).toMatchObject({ earliest: '2024-03-04' });
    expect(await columnOf(['25/04/2024', '04/25/2024'])).toMatchObject({ type: 'text' });
  });

  it('compares times in UTC where they name their offset', async () => {
    const { dates } = await columnOf(['2024-05-01T00:30:00+02:00', '2024-04-30T23:00:00Z']);
    expect(dates).toEqual({ earliest: '2024-04-30T22:30:00Z', latest: '2024-04-30T23:00:00Z' });
  });
});

describe('statistics', () => {
  it('agree with those of spreadsheets', async () => {
    const { numbers } = await columnOf(['2', '4', '4', '4', '5', '5', '7', '9']);
    expect(numbers).toMatchObject({
      count: 8,
      mean: 5,
      median: 4.5,
      standardDeviation: 2.1380899353,
      p5: 2.7,
      p25: 4,
      p75: 5.5,
      p95: 8.3,
    });
  });

  it('every value within the fences is in one bin', async () => {
    const value = fc.oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }));
    await fc.assert(
      fc.asyncProperty(fc.array(value, { minLength: 1, maxLength: 19 }), async (values) => {
        const { numbers } = await columnOf(values.map((number) => number.toFixed(3)));
        if (numbers === null) return;
        const { count, histogram, max, median, min } = numbers;
        expect(histogram.reduce((sum, bin) => sum + bin.count, 0)).toBe(count);
        expect(histogram.length).toBeLessThanOrEqual(32);
        expect(min <= median && median <= max).toBe(true);
      }),
    );
  });

  it('of the largest numbers there are stay numbers, or are null', async () => {
    const { numbers } = await columnOf(['1.7e308', '-1.7e308', '1.6e308']);
    expect(JSON.parse(JSON.stringify(numbers))).toEqual(numbers);
    expect(numbers).toMatchObject({ median: 1.6e308, standardDeviation: null });
  });

  it('of text are the values that recur, the most frequent first', async () => {
    const { top } = await columnOf(['pear', 'fig', 'pear', 'quince', 'fig', 'pear']);
    expect(top).toEqual([
      { value: 'pear', count: 3 },
      { value: 'fig', count: 2 },
    ]);
  });
});

describe('warnings', () => {
  it.each([
    ['Every row has the same value: "a"', ['a', 'a', 'a']],
    ['leading zeros', ['007', '12']],
    ['more than 15 digits', ['12345678901234567', '1']],
    ['Thousands separators: 1,234 was read as 1234', ['1,234', '12']],
    ['some look like decimals (1,5)', ['1,5', '1,234']],
    ['100% of the values are missing', ['', '-']],
    ['67% of the values are missing', ['', '', 'a']],
    [
      '1 value far from the middle half, such as 900',
      '0,1,2,3,4,5,6,0,1,2,3,4,5,6,0,1,2,3,4,5,6,900'.split(','),
    ],
    ['Mixed types: 1 text among 2 numbers, such as "many"', ['1', '2', 'many']],
    ['Nothing tells day and month apart', ['03/04/2024', '05/06/2024']],
    ['Some dates fit only day/month', ['25/04/2024', '04/25/2024']],
  ])('%s', async (words, cells) => {
    expect(await warningsOf(cells)).toContain(words);
  });

  it('a tidy column has none', async () => {
    expect(await warningsOf(['3', '1', '4', '1', '5'])).toBe('');
  });
});

it('a file of European orders is understood without a word of help', async () => {
  const file = new URL('../../test/fixtures/tables/orders-european.csv', import.meta.url);
  const { columns, decimal } = await profileTable(await tableOf(readFileSync(file)), new Turns());
  expect(decimal).toBe('comma');
  expect(columns.map(({ name, type }) => `${name} ${type}`).join(', ')).toBe(
    'Auftrag text, Datum date, Kunde text, PLZ text, Ort text, Menge number, Einzelpreis number, Umsatz number, Bezahlt text, Bemerkung text',
  );
});

it('an abort stops the work before the next turn, with its own reason', async () => {
  const lines = Array.from({ length: 20_000 }, (_, index) => `${index},x`);
  const table = await tableOf(['n,m', ...lines].join('\n'));
  const controller = new AbortController();
  controller.abort(new Error('canceled'));
  await expect(profileTable(table, new Turns(controller.signal))).rejects.toThrow('canceled');
});

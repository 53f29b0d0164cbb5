import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { ColumnProfile } from './columns/column-profile.ts';
import { profileTable, type TableProfile } from './profile.ts';
import { readTable } from './read-table.ts';
import type { Table } from './table.ts';

function tableOf(source: Uint8Array | string): Table {
  const reading = readTable(source);
  if (reading.kind === 'problem') throw new Error(reading.problem.message);
  return reading.table;
}

const fixture = (name: string): Table =>
  tableOf(readFileSync(new URL(`../../test/fixtures/tables/${name}`, import.meta.url)));

async function columnOf(cells: readonly string[], delimiter = ','): Promise<ColumnProfile> {
  const row = (cell: string): string => `"${cell.replaceAll('"', '""')}"${delimiter}x`;
  const text = ['value', ...cells].map(row).join('\n').replace(/x/, 'other');
  const column = (await profileTable(tableOf(text))).columns[0];
  if (column === undefined) throw new Error('no column');
  return column;
}

const codesOf = ({ warnings }: ColumnProfile): readonly string[] =>
  warnings.map(({ code }) => code);

describe('types', () => {
  it.each([
    ['integer', ['1', '-2', '+3', '0']],
    ['decimal', ['1', '2.5', '.5', '1.2e-3']],
    ['integer', ['1,234,567', '12']],
    ['text', ['1,5', '2,75']],
    ['text', ['00742', '10115']],
    ['text', ['4111111111111111', '4111111111111112']],
    ['text', ['$5', '6 %', '(7)', '8-']],
    ['boolean', ['TRUE', 'false', 'true']],
    ['boolean', ['yes', 'no']],
    ['text', ['NO', 'SE', 'DK']],
    ['integer', ['0', '1', '1']],
    ['date', ['2024-02-29', '2024/3/1']],
    ['date', ['31.12.2023', '1.1.2024']],
    ['text', ['2023-02-29', '31.02.2024']],
    ['datetime', ['2024-02-29T10:00:00Z', '2024-02-29 23:59']],
    ['datetime', ['3/14/2024 2:05 PM', '3/15/2024 12:00 AM']],
    ['text', ['a@b.example', 'c@d.example']],
    ['empty', ['', 'NA', 'n/a', 'NULL', '-', '#N/A']],
  ])('%s: %j', async (type, cells) => {
    expect((await columnOf(cells)).type).toBe(type);
  });

  it('reads decimal commas and dots as thousands where semicolons part the cells', async () => {
    const column = await columnOf(['1.234,50', '0,5', '1.000'], ';');
    expect(column.summary).toMatchObject({ kind: 'numbers', min: 0.5, max: 1234.5, median: 1000 });
    expect((await columnOf(['1.234', '2.5'], ';')).summary).toMatchObject({ min: 1.234, max: 2.5 });
  });

  it('keeps the type of nine in ten values, leaves the others out of the statistics and tells their lines', async () => {
    const column = await columnOf([
      ...Array.from({ length: 18 }, (_, n) => String(n)),
      'many',
      'few',
    ]);
    expect(column).toMatchObject({ type: 'integer', count: 20, summary: { count: 18, max: 17 } });
    expect(column.warnings).toMatchObject([{ code: 'mixed-types', lines: [20, 21] }]);
  });

  it('takes the order of day and month from the dates that allow only one', async () => {
    const dayFirst = await columnOf(['03/04/2024', '25/04/2024']);
    expect(dayFirst.summary).toMatchObject({ earliest: '2024-04-03', latest: '2024-04-25' });
    const monthFirst = await columnOf(['03/04/2024', '04/25/2024']);
    expect(monthFirst.summary).toMatchObject({ earliest: '2024-03-04' });
    expect(codesOf(await columnOf(['03/04/2024', '05/06/2024']))).toContain('day-or-month');
    expect(await columnOf(['25/04/2024', '04/25/2024'])).toMatchObject({ type: 'text' });
  });

  it('compares times in UTC where they name their offset', async () => {
    const { summary } = await columnOf(['2024-05-01T00:30:00+02:00', '2024-04-30T23:00:00Z']);
    expect(summary).toMatchObject({
      earliest: '2024-04-30T22:30:00Z',
      latest: '2024-04-30T23:00:00Z',
    });
  });
});

describe('statistics', () => {
  it('agree with those of spreadsheets', async () => {
    const { summary } = await columnOf(['2', '4', '4', '4', '5', '5', '7', '9']);
    expect(summary).toMatchObject({
      count: 8,
      mean: 5,
      median: 4.5,
      standardDeviation: 2.1380899353,
      quantiles: { p5: 2.7, p25: 4, p75: 5.5, p95: 8.3 },
    });
  });

  it('of numbers: every value is in the histogram or counted beyond it', async () => {
    const value = fc.oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }));
    await fc.assert(
      fc.asyncProperty(fc.array(value, { minLength: 1, maxLength: 60 }), async (values) => {
        const { summary } = await columnOf(values.map((number) => number.toFixed(3)));
        if (summary?.kind !== 'numbers') return;
        const { bins, below, above } = summary.histogram;
        const drawn = bins.reduce((sum, bin) => sum + bin.count, 0);
        expect(drawn + below + above).toBe(summary.count);
        expect(bins.length).toBeLessThanOrEqual(32);
        expect(summary.min).toBeLessThanOrEqual(summary.median);
        expect(summary.median).toBeLessThanOrEqual(summary.max);
      }),
    );
  });

  it('of the largest numbers there are stay numbers, or are null', async () => {
    const { summary } = await columnOf(['1.7e308', '-1.7e308', '1.6e308']);
    expect(JSON.parse(JSON.stringify(summary))).toEqual(summary);
    expect(summary).toMatchObject({ median: 1.6e308, standardDeviation: null });
  });

  it('of text: the extremes and the values that recur, the most frequent first', async () => {
    const { summary } = await columnOf(['pear', 'fig', 'pear', 'quince', 'fig', 'pear']);
    expect(summary).toEqual({
      kind: 'text',
      shortest: { value: 'fig', characters: 3 },
      longest: { value: 'quince', characters: 6 },
      top: [
        { value: 'pear', count: 3 },
        { value: 'fig', count: 2 },
        { value: 'quince', count: 1 },
      ],
    });
  });
});

describe('warnings', () => {
  it.each([
    ['constant', ['a', 'a', 'a']],
    ['leading-zeros', ['007', '12']],
    ['many-digits', ['12345678901234567', '1']],
    ['thousands-separators', ['1,234', '12']],
    ['decimal-comma', ['1,5', '1,234']],
    ['all-missing', ['', '-']],
    ['mostly-missing', ['', '', 'a']],
    ['na-may-be-code', ['DE', 'NA', 'SE']],
    ['spelling-variants', ['Berlin', 'berlin']],
    ['padded', [' a', 'b']],
    ['likely-identifier', Array.from({ length: 10 }, (_, n) => `K-${n}`)],
    ['likely-identifier', Array.from({ length: 10 }, (_, n) => String(n + 40))],
    ['outliers', [...Array.from({ length: 30 }, (_, n) => String(n % 7)), '900']],
    ['mixed-zones', ['2024-01-01T10:00', '2024-01-01T10:00Z']],
  ])('%s', async (code, cells) => {
    expect(codesOf(await columnOf(cells))).toContain(code);
  });

  it('a tidy column has none', async () => {
    expect(await columnOf(['3', '1', '4', '1', '5'])).toMatchObject({ warnings: [] });
  });
});

describe('a whole table', () => {
  it('a file of European orders is understood without a word of help', async () => {
    const { columns, decimal, rows } = await profileTable(fixture('orders-european.csv'));
    expect({ rows, decimal }).toEqual({ rows: 60, decimal: 'comma' });
    expect(Object.fromEntries(columns.map(({ name, type }) => [name, type]))).toEqual({
      Auftrag: 'text',
      Datum: 'date',
      Kunde: 'text',
      PLZ: 'text',
      Ort: 'text',
      Menge: 'integer',
      Einzelpreis: 'decimal',
      Umsatz: 'decimal',
      Bezahlt: 'boolean',
      Bemerkung: 'text',
    });
  });

  it('missing values add up, whatever they are called', async () => {
    const { missingCells, columns } = await profileTable(fixture('contacts-missing.tsv'));
    expect(missingCells).toBe(4);
    expect(columns[2]).toMatchObject({
      type: 'empty',
      missing: 4,
      missingAs: [
        { value: '', count: 2 },
        { value: '-', count: 1 },
        { value: 'N/A', count: 1 },
      ],
    });
  });

  it('arbitrary text never throws, and gives the same profile each time, in JSON without loss', async () => {
    const profileOf = async (text: string): Promise<TableProfile | undefined> => {
      const reading = readTable(text);
      return reading.kind === 'table' ? await profileTable(reading.table) : undefined;
    };
    const pieces = [
      'a',
      '1',
      '1,5',
      '2024-01-31',
      ',',
      ';',
      '\t',
      '|',
      '\n',
      '\r',
      '"',
      '-',
      ' ',
      '=',
      'é',
      '1e999',
    ];
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

describe('long tables', () => {
  const table = tableOf(`n,m\n${Array.from({ length: 25 }, (_, n) => `${n},${n * n}`).join('\n')}`);

  it('progress is told after each batch and ends with all rows', async () => {
    const told: number[][] = [];
    const progress = async (done: number, total: number): Promise<void> =>
      void told.push([done, total]);
    await profileTable(table, { progress, batchRows: 10 });
    expect(told).toEqual([
      [10, 25],
      [20, 25],
      [25, 25],
    ]);
  });

  it('an abort stops before the next batch, with its own reason', async () => {
    const controller = new AbortController();
    const told: number[] = [];
    const progress = async (done: number): Promise<void> => {
      told.push(done);
      if (done === 20) controller.abort(new Error('canceled'));
    };
    const { signal } = controller;
    await expect(profileTable(table, { progress, signal, batchRows: 10 })).rejects.toThrow(
      'canceled',
    );
    expect(told).toEqual([10, 20]);
  });
});

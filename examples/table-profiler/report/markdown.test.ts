import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { inline } from './markdown.ts';
import { profileTable } from '../profile.ts';
import { readTable } from '../read-table.ts';
import { Turns } from '../turns.ts';
import { renderReport } from './markdown.ts';

async function reportOf(source: Uint8Array | string, name = 'x.csv'): Promise<string> {
  const reading = await readTable(source, new Turns());
  if (reading.kind === 'question') throw new Error(reading.question);
  return renderReport(await profileTable(reading.table, new Turns()), name);
}

describe('the report', () => {
  it('tells what was found and what to check', async () => {
    const file = new URL('../../../test/fixtures/tables/stock-ragged.csv', import.meta.url);
    expect(await reportOf(readFileSync(file), 'stock-ragged.csv')).toMatchInlineSnapshot(`
      "# Profile of stock-ragged.csv

      7 rows and 4 columns; 3 of 28 cells (11%) are missing.

      Read as utf-8, cells parted by comma.

      - Left out: 1 blank line (line 7).
      - 2 rows with fewer than 4 cells: the missing are empty (lines 3, 6).
      - 2 rows with more than 4 cells: the surplus was left out (lines 5, 9).

      | Column | Type | Missing | Distinct | Values | For example |
      | --- | --- | --- | --- | --- | --- |
      | sku | text | 0 (0%) | 7 | all different | 00417 · 00418 · 00523 |
      | product | text | 0 (0%) | 7 | all different | Hex bolt M8 · Hex bolt M10 · Washer, 10 mm |
      | quantity | text | 1 (14%) | 6 | all different | 1200 · 860 · 15000 |
      | warehouse | text | 2 (29%) | 2 | Rotterdam 3 · Gdansk 2 | Rotterdam · Gdansk |

      ## To check

      - **sku**: Some values have leading zeros, so all were kept as text.
      - **quantity**: Mixed types: 1 text among 5 numbers, such as "unknown" (line 9).
      "
    `);
  });

  it('of an empty file and of a header alone are short and whole', async () => {
    expect(await reportOf('')).toContain('0 rows and 0 columns.');
    expect(await reportOf('name,age\n')).toContain('0 rows and 2 columns.');
  });

  it('has as many cells in each row of a table as in its header, whatever the values', async () => {
    const hostile = fc.constantFrom(
      '|',
      '`',
      '\\',
      '\\|',
      '<b>',
      '[x](y)',
      '\n',
      '*',
      '_a_',
      'plain',
    );
    const cell = fc.array(hostile, { maxLength: 4 }).map((parts) => parts.join(''));
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(cell, cell), { maxLength: 6 }), async (rows) => {
        const quoted = [['some | name', 'other'], ...rows].map((cells) =>
          cells.map((text) => `"${text}"`).join(','),
        );
        const lines = (await reportOf(quoted.join('\n'), 'a|b.csv')).split('\n');
        const widths = lines.filter((line) => line.startsWith('|')).map(cellsIn);
        // The tables of columns and of numbers.
        for (const width of widths) expect([6, 10]).toContain(width);
      }),
    );
  });

  it('shows Markdown in a value as text', async () => {
    expect(inline('**a** `b` [c](d) <e> f|g\nh order_id _i_')).toBe(
      '\\*\\*a\\*\\* \\`b\\` \\[c\\](d) &lt;e&gt; f\\|g h order_id \\_i\\_',
    );
  });
});

/** Pipes that are not escaped: a backslash before one escapes it unless it is itself escaped. */
function cellsIn(line: string): number {
  return (line.replace(/\\./g, '').match(/\|/g)?.length ?? 0) - 1;
}

import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { renderChart } from './chart.ts';
import { profileTable } from './profile.ts';
import { readTable } from './read-table.ts';

async function chartOf(source: Uint8Array | string, name = 'x.csv'): Promise<string> {
  const reading = readTable(source);
  if (reading.kind === 'problem') throw new Error(reading.problem.message);
  return renderChart(await profileTable(reading.table), name);
}

describe('the chart', () => {
  it('has a bar for each column that misses values and a panel for each numeric column', async () => {
    const svg = await chartOf('a,b,name\n1,,x\n2,5,y\n3,7,');
    const words = [...svg.matchAll(/<text[^>]*>([^<]*)</g)].map(([, text]) => text);
    expect(words).toEqual(
      expect.arrayContaining(['1 (33%)', '3 values, median 2', '2 values, median 6']),
    );
    expect(svg).toContain('<desc id="desc">3 rows and 3 columns; 2 of 9 cells (22%) are missing.');
  });

  it('of a wide table says what was left out', async () => {
    const file = new URL('../../test/fixtures/tables/members-wide.csv', import.meta.url);
    const svg = await chartOf(readFileSync(file));
    expect(svg).toContain(
      'Shown are the 12 columns with the most missing values; 10 columns left out.',
    );
    expect(svg).toContain(
      'Shown are the first 12 numeric columns; 8 more numeric columns left out.',
    );
  });

  it('leaves one value that is far off out of the bars, and says so', async () => {
    const values = Array.from({ length: 40 }, (_, index) => String(index % 9));
    const svg = await chartOf(
      ['n,m', ...[...values, '100000'].map((value) => `${value},x`)].join('\n'),
    );
    expect(svg).toContain('not drawn: 1 far above');
  });

  it('of a table without rows or without columns still says so', async () => {
    expect(await chartOf('')).toContain('The table has no rows.');
    expect(await chartOf('a,b\n')).toContain('No column is numeric.');
  });

  it('is well-formed XML whatever the columns are called', async () => {
    const name = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 60 }),
      fc.constantFrom(
        '<script>',
        '&amp;',
        ']]>',
        '"quoted"',
        "it's",
        '\u0001',
        '\uffff',
        '列名',
        '👩‍👩‍👧',
      ),
    );
    await fc.assert(
      fc.asyncProperty(name, name, async (first, second) => {
        const quote = (text: string): string =>
          `"${text.replaceAll('\0', '').replaceAll('"', '""')}"`;
        const svg = await chartOf(`${quote(first)},${quote(second)}\n1,2\n3,`, second);
        expectWellFormed(svg);
      }),
    );
  });
});

/** Enough of XML for what the chart may contain: elements with quoted attributes, text with the five entities. */
function expectWellFormed(xml: string): void {
  const open: string[] = [];
  const token =
    /<(\/?)([a-z]+)((?: [a-zA-Z0-9:-]+="(?:[^<>&"]|&(?:amp|lt|gt|quot|#39);)*")*)(\/?)>|(?:[^<>&]|&(?:amp|lt|gt|quot|#39);)+/gy;
  let end = 0;
  for (const match of xml.matchAll(token)) {
    end = match.index + match[0].length;
    const [, closing, name, , empty] = match;
    if (name === undefined) continue;
    if (closing === '/') expect(open.pop()).toBe(name);
    else if (empty === '') open.push(name);
  }
  expect(end).toBe(xml.length);
  expect(open).toEqual([]);
  // oxlint-disable-next-line no-control-regex -- these are what XML 1.0 can't hold
  expect(xml).not.toMatch(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/);
}

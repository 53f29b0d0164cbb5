import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { renderChart } from './svg.ts';
import { profileTable } from '../profile.ts';
import { readTable } from '../read-table.ts';
import { Turns } from '../turns.ts';

async function chartOf(source: Uint8Array | string, name = 'x.csv'): Promise<string> {
  const reading = await readTable(source, new Turns());
  if (reading.kind === 'question') throw new Error(reading.question);
  return renderChart(await profileTable(reading.table, new Turns()), name);
}

describe('the chart', () => {
  it('has a line for each column with its missing values, and bars where it is numeric', async () => {
    const svg = await chartOf('a,b,name\n1,,x\n2,5,y\n3,7,');
    const words = [...svg.matchAll(/<text[^>]*>([^<]*)</g)].map(([, text]) => text);
    expect(words).toEqual(expect.arrayContaining(['a', 'b', 'name', '0 (0%)', '1 (33%)']));
    expect(words).toContain('1 to 3, median 2');
    expect(svg.match(/class="bar"/g)?.length).toBeGreaterThan(3);
    expect(svg).toContain('<desc id="desc">3 rows and 3 columns; 2 of 9 cells (22%) are missing.');
  });

  it('of a wide table says what was left out, and of an empty one that it is empty', async () => {
    const names = Array.from({ length: 33 }, (_, index) => `c${index}`).join(',');
    expect(await chartOf(`${names}\n`)).toContain('3 further columns left out.');
    expect(await chartOf('')).toContain('0 rows and 0 columns.');
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

/**
 * Enough of XML for what the chart may contain: elements with quoted attributes, text with the five
 * entities.
 */
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

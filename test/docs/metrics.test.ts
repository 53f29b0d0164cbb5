import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { METRICS } from '../../shared/ports/metrics.ts';

const PAGE = new URL('../../docs/tracing.md', import.meta.url);
const HEAD = '| metric | kind | unit | attributes | says |\n| --- | --- | --- | --- | --- |\n';

/** The table as the page must have it; the test prints it where they differ. */
function table(): string {
  const rows = Object.entries(METRICS).map(([name, { attributes, kind, says, unit }]) => {
    const named = attributes.map((each) => `\`${each}\``).join(', ');
    return `| \`${name}\` | ${kind} | \`${unit}\` | ${named} | ${says} |\n`;
  });
  return `${HEAD}${rows.join('')}`;
}

test('the page of metrics has exactly those that the code measures', () => {
  const text = readFileSync(PAGE, 'utf8');
  const [, rest = ''] = text.split(HEAD);
  const [rows = ''] = rest.split('\n\n');
  expect(`${HEAD}${rows}\n`).toBe(table());
});

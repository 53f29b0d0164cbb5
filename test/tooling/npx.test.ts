// `npx holdfast` outside a project that has the package fetches what a stranger publishes under the
// name, and runs it with the caller's tokens in its environment. `--no` refuses instead.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { projectFiles } from '../../tools/checks/sources.ts';
import { PROJECT } from '../packages/unpack.ts';

const SCANNED = ['.md', '.ts', '.mjs', '.js', '.json', '.tf', '.yaml', '.example'];
/** Spoken of, not told to run. */
const EXEMPT = new Set(['test/tooling/npx.test.ts']);

function fetching(text: string): string[] {
  return [
    ...text.matchAll(/\b(?:npx|npm exec|npm x|npm init)\s+(?!--no\s)[^\n`]*?\bholdfast\b/g),
  ].map(([found]) => found);
}

test('no page, message or template tells its reader to run what npx would fetch', () => {
  const files = projectFiles(PROJECT, SCANNED).filter((file) => !EXEMPT.has(file));
  expect(files).toContain('README.md');
  const found = files.flatMap((file) =>
    fetching(readFileSync(join(PROJECT, file), 'utf8')).map((line) => `${file}: ${line}`),
  );
  expect(found).toEqual([]);
});

test.each([
  ['npx holdfast runs', 1],
  ['npx --yes holdfast runs', 1],
  ['npx -p holdfast holdfast runs', 1],
  ['npm exec holdfast', 1],
  ['npx --no holdfast runs', 0],
  ['npm exec --no holdfast -- runs', 0],
  ['npx firebase-tools setup', 0],
])('%j is found so many times: %i', (text, times) => {
  expect(fetching(text)).toHaveLength(times);
});

import { expect, test } from 'vitest';
import { checkNpx } from '../../tools/checks/npx.ts';
import { PROJECT } from '../packages/unpack.ts';
import { projectWith } from './project-fixture.ts';

test('no page, message or template tells its reader to run what npx would fetch', () => {
  expect(checkNpx(PROJECT).findings).toEqual([]);
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
  const { findings } = checkNpx(projectWith({ 'docs/page.md': `One line.\n${text}\n` }));
  expect(findings).toHaveLength(times);
  expect(findings.every(({ line }) => line === 2)).toBe(true);
});

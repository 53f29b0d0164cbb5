import { expect, test } from 'vitest';
import { checkGuarantees } from '../../tools/checks/guarantees.ts';
import { projectWith } from './project-fixture.ts';

const PROVEN = `import { test } from 'vitest';
test('a late writer changes nothing', () => {});
test.each([1, 2])('a file (copy [%i]) is kept', () => {});
// test('a commented test proves nothing', () => {});
`;

function messagesFor(proof: string, rows = 24): string[] {
  const lines = Array.from({ length: rows }, (_, index) => {
    return `| G${index + 1} | A promise. | ${index === 0 ? proof : 'later'} |`;
  });
  const root = projectWith({ 'docs/guarantees.md': lines.join('\n'), 'test/x.test.ts': PROVEN });
  return checkGuarantees(root).findings.map(({ message }) => message);
}

test('links to existing tests are accepted', () => {
  expect(messagesFor('[a late writer changes nothing](../test/x.test.ts)')).toEqual([]);
  expect(messagesFor('[a file (copy \\[%i\\]) is kept](../test/x.test.ts)')).toEqual([]);
  expect(messagesFor('later (issue 2 of 4)')).toEqual([]);
});

test('a link to a missing file is found', () => {
  expect(messagesFor('[a late writer changes nothing](../test/gone.test.ts)')).toEqual([
    'G1: test/gone.test.ts does not exist.',
  ]);
});

test('a link to a title that no test carries is found', () => {
  expect(messagesFor('[a late writer](../test/x.test.ts)')).toEqual([
    'G1: test/x.test.ts has no test titled "a late writer".',
  ]);
  expect(messagesFor('[a commented test proves nothing](../test/x.test.ts)')).toHaveLength(1);
});

test('a guarantee without proof is found, and so is a missing row', () => {
  expect(messagesFor('soon')).toEqual(['G1: no link to a test, and not marked `later`.']);
  expect(messagesFor('later', 23)).toEqual([
    'expected the rows G1 to G24, each once and in order.',
  ]);
});

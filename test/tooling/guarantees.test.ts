import { expect, test } from 'vitest';
import { checkGuarantees } from '../../tools/checks/guarantees.ts';
import { projectWith } from './project-fixture.ts';

const PROVEN = `import { describe, test } from 'vitest';
test('a late writer changes nothing', () => {});
test.each([1, 2])('a file (copy [%i]) is kept by every reader', () => {});
describe('of all writers one wins', () => {});
// test('a commented test proves nothing', () => {});
`;
const CODE = `export async function writeOnce(): Promise<void> {}
const limit = 3;
`;
const WHERE = '[`writeOnce`](../shared/x.ts)';

function messagesFor(proof: string, where = WHERE, rows = 25): string[] {
  const lines = Array.from({ length: rows }, (_, index) => {
    const cells = index === 0 ? [where, proof] : ['later', 'later'];
    return `| G${index + 1} | A promise. | ${cells.join(' | ')} |`;
  });
  const root = projectWith({
    'docs/guarantees.md': lines.join('\n'),
    'shared/x.ts': CODE,
    'test/x.test.ts': PROVEN,
  });
  return checkGuarantees(root).findings.map(({ message }) => message);
}

test('links to existing tests are accepted', () => {
  expect(messagesFor('[a late writer changes nothing](../test/x.test.ts)')).toEqual([]);
  expect(messagesFor('[of all writers one wins](../test/x.test.ts)')).toEqual([]);
  expect(messagesFor('[is kept by every reader](../test/x.test.ts)')).toEqual([]);
  expect(messagesFor('later')).toEqual([]);
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

test('a title with a placeholder is found: it could not be searched for', () => {
  const title = 'a file (copy \\[%i\\]) is kept by every reader';
  expect(messagesFor(`[${title}](../test/x.test.ts)`)).toEqual([
    'G1: "a file (copy [%i]) is kept by every reader" has a placeholder: link the words around it.',
  ]);
});

test('a function that is not where the page says is found', () => {
  const proof = '[a late writer changes nothing](../test/x.test.ts)';
  expect(messagesFor(proof, '[`limit`](../shared/x.ts)')).toEqual([]);
  expect(messagesFor(proof, '[`writeTwice`](../shared/x.ts)')).toEqual([
    'G1: shared/x.ts declares no writeTwice.',
  ]);
  expect(messagesFor(proof, '[`writeOnce`](../shared/y.ts)')).toEqual([
    'G1: shared/y.ts does not exist.',
  ]);
  expect(messagesFor(proof, 'somewhere')).toEqual([
    'G1: no link to the function that keeps it, and not marked `later`.',
  ]);
});

test('a guarantee without proof is found, and so is a missing row', () => {
  expect(messagesFor('soon')).toEqual(['G1: no link to a test, and not marked `later`.']);
  expect(messagesFor('later', WHERE, 24)).toEqual([
    'expected the rows G1 to G25, each once and in order.',
  ]);
});

// A check that is silently green is the danger: each kind of breach is seeded and must be reported.
import { describe, expect, test } from 'vitest';
import { checkProse } from '../../tools/checks/prose.ts';
import { projectWith } from './project-fixture.ts';

function found(text: string, file = 'shared/a.ts'): string[] {
  const { findings } = checkProse(projectWith({ [file]: text }));
  return findings.map(({ line, message }) => `${line}: ${message}`);
}

const long = 'word '.repeat(20).trim();

describe('a comment of more than 100 columns', () => {
  test.each([
    [`// ${long}`, 1],
    [`/** ${long} */`, 1],
    [`/**\n * Short.\n * ${long}\n */`, 3],
    [`export const a = 1; // ${long}`, 1],
  ])('%j is found in its line', (text, line) => {
    expect(found(text)).toEqual([expect.stringMatching(`^${line}: 1\\d\\d columns`)]);
  });

  test.each([
    `// ${long.slice(0, 97)}`,
    `// https://example.com/${'a'.repeat(100)}`,
    `// oxlint-disable-next-line a-rule -- ${long}`,
    `//   node tools/node24.mjs ${long}`,
    `export const a = '// ${long}';`,
  ])('%j is not one', (text) => {
    expect(found(text)).toEqual([]);
  });

  test('is none in a page, whose lines are paragraphs to its reader', () => {
    expect(found(long, 'docs/page.md')).toEqual([]);
  });
});

describe('a sentence that does not say who', () => {
  test.each([
    ['// Held by nobody.', 'shared/a.ts', 'nobody'],
    ['// Whoever comes first.', 'shared/a.ts', 'Whoever'],
    ["throw new Error('somebody else has it');", 'shared/a.ts', 'somebody'],
    ["test('nobody’s run ends', () => {});", 'test/a.test.ts', 'nobody'],
    ['const said = `for anybody`;', 'shared/a.ts', 'anybody'],
    ['Nobody calls it.', 'docs/page.md', 'Nobody'],
    ['description = "Lets anybody call."', 'terraform/a.tf', 'anybody'],
  ])('%j in %s is found', (text, file, word) => {
    expect(found(text, file)).toEqual([expect.stringContaining(`1: "${word}"`)]);
  });

  test.each([
    "const owner = 'nobody';",
    "await get('/nobody/tasks');",
    "const url = 'https://nobody.invalid/card';",
    '// See docs/decisions/0023-what-nobody-waits-for.md.',
  ])('%j is a name, not a sentence', (text) => {
    expect(found(text)).toEqual([]);
  });
});

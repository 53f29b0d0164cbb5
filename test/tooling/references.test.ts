// A check that is silently green is the danger: each kind of breach is seeded and must be reported.
import { describe, expect, test } from 'vitest';
import { checkLinks } from '../../tools/checks/links.ts';
import { pictureOf } from '../../tools/site/diagrams.ts';
import { checkReferences } from '../../tools/checks/references.ts';
import { projectWith } from './project-fixture.ts';

const PAGES = {
  'docs/guarantees.md': '| G1 | A promise. | later | later |\n',
  'docs/decisions/README.md': '[0001](0001-rows.md)\n',
  'docs/decisions/0001-rows.md': '# Rows\n',
  'docs/page.md': '# A page\n\n## Its second part\n',
};

function referencesIn(text: string, file = 'shared/a.ts'): string[] {
  const { findings } = checkReferences(projectWith({ ...PAGES, [file]: text }));
  return findings.map(({ line, message }) => `${line}: ${message}`);
}

describe('references out of the repository', () => {
  test.each([
    ['// The row (architecture section 4).', 'architecture section'],
    ['/**\n * The row (architecture\n * section 4).\n */', 'architecture section'],
    ['// Section 4 of the architecture says so; section 4 of the architecture.', 'section 4 of'],
    ['// As the seed rule has it.', 'seed rule'],
    ['// The lock (ADR-282).', 'ADR-282'],
    ['// One of two wins (281-18).', '281-18'],
    ["test('nothing is lost (case C9)', () => {});", 'case C9'],
    ["test('nothing is lost (B10, B11)', () => {});", '(B10, B11)'],
    ['// Nothing is lost (G1, C9).', '(G1, C9)'],
    ['// Until issue 12 is done.', 'issue 12'],
    ["const folder = '/home/ada/holdfast';", '/home/ada/'],
    ['export const a = 1;\n<<<<<<< HEAD\n', '<<<<<<< HEAD'],
  ])('%s is found', (text, cited) => {
    const messages = referencesIn(text);
    expect(messages).toHaveLength(1);
    expect(messages[0]).toContain(cited);
  });

  test.each([
    '// The spec says so (A2A section 3.4.1), and so does RFC 5869 section 2.',
    '// The provider ignores it (hashicorp/terraform-provider-google#20571).',
    '// The promise (G1), and why (decision 0001, docs/page.md#its-second-part).',
    '// In the case of A or B, C1 control characters are dropped.',
    "const step = '2026-11-30'; const port = 281;",
  ])('%s is fine', (text) => {
    expect(referencesIn(text)).toEqual([]);
  });
});

describe('references that lead nowhere', () => {
  test.each([
    ['// The promise (G25).', 'G25'],
    ['// Why: decision 0002.', 'decision 0002'],
    ['// See docs/gone.md.', 'docs/gone.md'],
    ['// See docs/page.md#third.', 'docs/page.md#third'],
    ['// The sibling is shared/b.ts.', 'shared/b.ts'],
    ['// Both are in shared/{a,b}.ts.', 'shared/{a,b}.ts'],
  ])('%s is found', (text, cited) => {
    expect(referencesIn(`export const a = 1;\n${text}\n`)).toEqual([
      `2: "${cited}" leads nowhere.`,
    ]);
  });

  test('the code itself may name files that are not there', () => {
    expect(referencesIn("export const file = 'docs/gone.md'; // the file\n")).toEqual([]);
  });

  test.each(['infra/a.tf', 'cloud.yaml'])('the comments of %s are read, too', (file) => {
    expect(referencesIn('# See docs/gone.md.\n', file)).toEqual([
      '1: "docs/gone.md" leads nowhere.',
    ]);
  });
});

function linksIn(text: string, more: Readonly<Record<string, string>> = {}): string[] {
  const { findings } = checkLinks(projectWith({ ...PAGES, 'docs/a.md': text, ...more }));
  return findings.map(({ file, line, message }) => `${file}:${line}: ${message}`);
}

describe('links of markdown files', () => {
  test.each([
    ['a file', '[a](gone.md)', 'gone.md: docs/gone.md does not exist.'],
    ['a heading', '[a](page.md#third)', 'page.md#third: no such heading.'],
    ['a heading of the page itself', '# Here\n\n[a](#there)', '#there: no such heading.'],
    ['a picture', '![a](pictures/a.svg)', 'pictures/a.svg: docs/pictures/a.svg does not exist.'],
    ['a definition', '[a]\n\n[a]: gone.md', 'gone.md: docs/gone.md does not exist.'],
    ['the outside', '[a](../../secret.md)', '../../secret.md leads out of the repository.'],
  ])('a dead link to %s is found', (_what, text, message) => {
    expect(linksIn(text)).toEqual([expect.stringContaining(message)]);
  });

  test('live links, links to the web and links in code are fine', () => {
    const fence = '```md\n[a](gone.md)\n```\n';
    const text = `${fence}\`[a](gone.md)\` [a](page.md#its-second-part) [b](https://example.org/x)\n`;
    expect(linksIn(text)).toEqual([]);
  });

  test('a semicolon in a sequence diagram is found: the page would show an error in its place', () => {
    const source = 'sequenceDiagram\n  A->>B: one; two\n';
    const drawn = { [pictureOf('docs/a.md', source)]: '<svg/>' };
    expect(linksIn(`\`\`\`mermaid\n${source}\`\`\`\n`, drawn)).toEqual([
      'docs/a.md:3: a semicolon ends a message of a sequence diagram: use a comma.',
    ]);
  });

  test('a diagram that was changed since its picture was made is found', () => {
    const drawn = { [pictureOf('docs/a.md', 'flowchart LR\n  A --> B\n')]: '<svg/>' };
    const page = (source: string) => `\`\`\`mermaid\nflowchart LR\n  ${source}\n\`\`\`\n`;
    expect(linksIn(page('A --> B'), drawn)).toEqual([]);
    expect(linksIn(page('A --> C'), drawn)).toEqual([
      expect.stringMatching(/^docs\/a\.md:1: the picture of this diagram is missing or old/),
    ]);
  });

  test('a decision with the number of another, or that is not listed, is found', () => {
    const twin = linksIn('', { 'docs/decisions/0001-twin.md': '# Twin\n' });
    expect(twin).toEqual([
      'docs/decisions/0001-twin.md:1: has the number of 0001-rows.md: take the next free one.',
      'docs/decisions/0001-twin.md:1: is not listed in docs/decisions/README.md.',
    ]);
  });
});

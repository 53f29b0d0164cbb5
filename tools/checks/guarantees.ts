// docs/guarantees.md promises, and docs/security.md says what stands against whom; each row links
// the functions that keep it and the tests that prove it. A dead link, a function that has moved or
// a title that no test carries any more would be a promise without anything behind it.
import { existsSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { parseSync, type ESTree } from 'vite';
import { runCheck, type CheckResult } from './report.ts';
import type { Finding } from './sources.ts';

interface Page {
  readonly file: string;
  /** Of the ids of its rows. */
  readonly letter: string;
  /** How many rows it must have; absent: as many as it has, numbered from 1. */
  readonly count?: number;
}

const GUARANTEES: Page = { file: 'docs/guarantees.md', letter: 'G', count: 25 };
const THREATS: Page = { file: 'docs/security.md', letter: 'T' };
// `later` is an honest answer; a missing or dead link is not.
const LATER = 'later';
const PLACEHOLDER = /%[a-zA-Z]|\$\w+/;

export function checkGuarantees(root: string): CheckResult {
  const pages = [GUARANTEES, THREATS].filter(({ file }) => existsSync(join(root, file)));
  const checked = pages.map((page) => checkPage(root, page));
  return {
    findings: checked.flatMap(({ findings }) => findings),
    summary: checked.map(({ summary }) => summary).join('; '),
  };
}

function checkPage(root: string, page: Page): CheckResult {
  const { file: document, letter } = page;
  const at = (line: number, message: string): Finding => ({ file: document, line, message });
  const lines = readFileSync(join(root, document), 'utf8').split('\n');
  const rows = lines.flatMap((text, index) => {
    const [, first = '', , where = '', proof = ''] = text
      .split(/(?<!\\)\|/)
      .map((cell) => cell.trim());
    return new RegExp(`^${letter}\\d+$`).test(first)
      ? [{ id: first, where, proof, line: index + 1 }]
      : [];
  });
  const findings = rows.flatMap(({ id, where, proof, line }) =>
    [...whereObjections(root, where, document), ...proofObjections(root, proof, document)].map(
      (message) => at(line, `${id}: ${message}`),
    ),
  );
  const ids = rows.map(({ id }) => id);
  const { count = ids.length } = page;
  const expected = Array.from({ length: count }, (_, index) => `${letter}${index + 1}`);
  if (ids.join() !== expected.join()) {
    findings.push(
      at(1, `expected the rows ${letter}1 to ${letter}${count}, each once and in order.`),
    );
  }
  const proven = rows.filter(({ proof }) => proof !== LATER).length;
  const what = letter === 'G' ? 'guarantees' : 'threats';
  return { findings, summary: `${proven} of ${count} ${what} link to their code and tests` };
}

interface Link {
  readonly label: string;
  /** Relative to the root. */
  readonly file: string;
}

function linksOf(cell: string, document: string): readonly Link[] {
  const links = cell.matchAll(/\[((?:[^\]\\]|\\.)+)\]\(([^)\s]+)\)/g);
  return [...links].map(([, label = '', target = '']) => ({
    label: label.replaceAll(/\\(.)/g, '$1'),
    file: posix.join(posix.dirname(document), target),
  }));
}

function whereObjections(root: string, where: string, document: string): string[] {
  if (where === LATER) return [];
  const links = linksOf(where, document);
  if (links.length === 0) return ['no link to the function that keeps it, and not marked `later`.'];
  return links.flatMap(({ label, file }) => {
    if (!existsSync(join(root, file))) return [`${file} does not exist.`];
    const name = label.replaceAll('`', '');
    const text = readFileSync(join(root, file), 'utf8');
    return namesOf(text).has(name) ? [] : [`${file} declares no ${name}.`];
  });
}

function proofObjections(root: string, proof: string, document: string): string[] {
  if (proof === LATER) return [];
  const links = linksOf(proof, document);
  if (links.length === 0) return ['no link to a test, and not marked `later`.'];
  return links.flatMap(({ label: title, file }) => {
    // A conformance suite is a plain module that several test files run.
    if (!/^test\/.*\.ts$|\.test\.ts$/.test(file)) return [`${file} is not a test file.`];
    if (!existsSync(join(root, file))) return [`${file} does not exist.`];
    if (PLACEHOLDER.test(title)) return [`"${title}" has a placeholder: link the words around it.`];
    if (titlesOf(readFileSync(join(root, file), 'utf8')).has(title)) return [];
    return [`${file} has no test titled "${title}".`];
  });
}

/** What a file declares at its top, exported or not. */
function namesOf(text: string): ReadonlySet<string> {
  const names = text.matchAll(
    /^(?:export )?(?:async )?(?:function\*?|const|class|interface|type) (\w+)/gm,
  );
  return new Set([...names].map(([, name = '']) => name));
}

/**
 * Titles of describe(...), test(...) and it(...), also of test.each(...)(...); of one with
 * parameters the pieces between them.
 */
function titlesOf(text: string): ReadonlySet<string> {
  const titles = new Set<string>();
  const queue: unknown[] = [parseSync('titles.test.ts', text).program];
  for (let node = queue.pop(); node !== undefined; node = queue.pop()) {
    if (typeof node !== 'object' || node === null) continue;
    if (
      isCall(node) &&
      /^(describe|test|it)\b/.test(text.slice(node.callee.start, node.callee.end))
    ) {
      const title = node.arguments[0];
      if (title?.type === 'Literal' && typeof title.value === 'string')
        for (const each of searchable(title.value)) titles.add(each);
    }
    const children: unknown[] = Object.values(node);
    queue.push(...children.filter((child) => child !== undefined));
  }
  return titles;
}

/** Short pieces say nothing and are found anywhere. */
function searchable(title: string): readonly string[] {
  if (!PLACEHOLDER.test(title)) return [title];
  const pieces = title
    .split(/%[a-zA-Z]|\$\w+|[():]/)
    .map((piece) => piece.replace(/^[\s,]+|[\s,]+$/g, ''));
  return pieces.filter((piece) => piece.split(' ').length >= 4);
}

function isCall(node: object): node is ESTree.CallExpression {
  return 'type' in node && node.type === 'CallExpression';
}

if (import.meta.main) runCheck(checkGuarantees);

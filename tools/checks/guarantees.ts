// docs/guarantees.md promises; each promise links the functions that keep it and the tests that
// prove it. A dead link, a function that has moved or a title that no test carries any more would
// be a promise without anything behind it.
import { existsSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { parseSync, type ESTree } from 'vite';
import { runCheck, type CheckResult } from './report.ts';
import type { Finding } from './sources.ts';

const DOCUMENT = 'docs/guarantees.md';
const COUNT = 24;
// `later` is an honest answer; a missing or dead link is not.
const LATER = 'later';
const PLACEHOLDER = /%[a-zA-Z]|\$\w+/;

export function checkGuarantees(root: string): CheckResult {
  const lines = readFileSync(join(root, DOCUMENT), 'utf8').split('\n');
  const rows = lines.flatMap((text, index) => {
    const [, first = '', , where = '', proof = ''] = text
      .split(/(?<!\\)\|/)
      .map((cell) => cell.trim());
    return /^G\d+$/.test(first) ? [{ id: first, where, proof, line: index + 1 }] : [];
  });
  const findings = rows.flatMap(({ id, where, proof, line }) =>
    [...whereObjections(root, where), ...proofObjections(root, proof)].map((message) =>
      at(line, `${id}: ${message}`),
    ),
  );
  const ids = rows.map(({ id }) => id);
  const expected = Array.from({ length: COUNT }, (_, index) => `G${index + 1}`);
  if (ids.join() !== expected.join()) {
    findings.push(at(1, `expected the rows G1 to G${COUNT}, each once and in order.`));
  }
  const proven = rows.filter(({ proof }) => proof !== LATER).length;
  return { findings, summary: `${proven} of ${COUNT} guarantees link to their code and tests` };
}

function at(line: number, message: string): Finding {
  return { file: DOCUMENT, line, message };
}

interface Link {
  readonly label: string;
  /** Relative to the root. */
  readonly file: string;
}

function linksOf(cell: string): readonly Link[] {
  const links = cell.matchAll(/\[((?:[^\]\\]|\\.)+)\]\(([^)\s]+)\)/g);
  return [...links].map(([, label = '', target = '']) => ({
    label: label.replaceAll(/\\(.)/g, '$1'),
    file: posix.join(posix.dirname(DOCUMENT), target),
  }));
}

function whereObjections(root: string, where: string): string[] {
  if (where === LATER) return [];
  const links = linksOf(where);
  if (links.length === 0) return ['no link to the function that keeps it, and not marked `later`.'];
  return links.flatMap(({ label, file }) => {
    if (!existsSync(join(root, file))) return [`${file} does not exist.`];
    const name = label.replaceAll('`', '');
    const text = readFileSync(join(root, file), 'utf8');
    return namesOf(text).has(name) ? [] : [`${file} declares no ${name}.`];
  });
}

function proofObjections(root: string, proof: string): string[] {
  if (proof === LATER) return [];
  const links = linksOf(proof);
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

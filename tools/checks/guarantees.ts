// docs/guarantees.md promises; each promise links the tests that prove it. A link that is dead, or a
// title that no test carries any more, is a promise nobody keeps.
import { existsSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { parseSync, type ESTree } from 'vite';
import { runCheck, type CheckResult } from './report.ts';
import type { Finding } from './sources.ts';

const DOCUMENT = 'docs/guarantees.md';
const COUNT = 24;
// `later` is an honest answer; a missing or dead link is not.
const LATER = /^later( \(issue [1-4] of 4\))?$/;

export function checkGuarantees(root: string): CheckResult {
  const lines = readFileSync(join(root, DOCUMENT), 'utf8').split('\n');
  const rows = lines.flatMap((text, index) => {
    const cells = text.split(/(?<!\\)\|/).map((cell) => cell.trim());
    const id = /^G\d+$/.exec(cells[1] ?? '')?.[0];
    return id === undefined ? [] : [{ id, proof: cells[3] ?? '', line: index + 1 }];
  });
  const findings = rows.flatMap(({ id, proof, line }) =>
    objections(root, proof).map((message) => at(line, `${id}: ${message}`)),
  );
  const ids = rows.map(({ id }) => id);
  const expected = Array.from({ length: COUNT }, (_, index) => `G${index + 1}`);
  if (ids.join() !== expected.join()) {
    findings.push(at(1, `expected the rows G1 to G${COUNT}, each once and in order.`));
  }
  const proven = rows.filter(({ proof }) => !LATER.test(proof)).length;
  return { findings, summary: `${proven} of ${COUNT} guarantees link to their tests` };
}

function at(line: number, message: string): Finding {
  return { file: DOCUMENT, line, message };
}

function objections(root: string, proof: string): string[] {
  if (LATER.test(proof)) return [];
  const links = [...proof.matchAll(/\[((?:[^\]\\]|\\.)+)\]\(([^)\s]+)\)/g)];
  if (links.length === 0) return ['no link to a test, and not marked `later`.'];
  return links.flatMap(([, label = '', target = '']) => {
    const title = label.replaceAll(/\\(.)/g, '$1');
    const file = posix.join(posix.dirname(DOCUMENT), target);
    // A conformance suite is a plain module that several test files run.
    if (!/^test\/.*\.ts$|\.test\.ts$/.test(file)) return [`${file} is not a test file.`];
    if (!existsSync(join(root, file))) return [`${file} does not exist.`];
    if (titlesOf(readFileSync(join(root, file), 'utf8')).has(title)) return [];
    return [`${file} has no test titled "${title}".`];
  });
}

/** Titles of test(...) and it(...), also of test.each(...)(...), as they are written. */
function titlesOf(text: string): ReadonlySet<string> {
  const titles = new Set<string>();
  const queue: unknown[] = [parseSync('titles.test.ts', text).program];
  for (let node = queue.pop(); node !== undefined; node = queue.pop()) {
    if (typeof node !== 'object' || node === null) continue;
    if (isCall(node) && /^(test|it)\b/.test(text.slice(node.callee.start, node.callee.end))) {
      const title = node.arguments[0];
      if (title?.type === 'Literal' && typeof title.value === 'string') titles.add(title.value);
    }
    const children: unknown[] = Object.values(node);
    queue.push(...children.filter((child) => child !== undefined));
  }
  return titles;
}

function isCall(node: object): node is ESTree.CallExpression {
  return 'type' in node && node.type === 'CallExpression';
}

if (import.meta.main) runCheck(checkGuarantees);

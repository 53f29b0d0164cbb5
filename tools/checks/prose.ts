// How prose stands: comments keep to 100 columns (the formatter leaves them alone), and no sentence
// says "nobody", "somebody", "anybody" or "whoever" where it can name the one it means.
import { parseSync } from 'vite';
import { runCheck, type CheckResult } from './report.ts';
import { lineOf, projectFiles, readSource, sourceFiles, type Finding } from './sources.ts';

const COLUMNS = 100;
const SCANNED = ['.ts', '.tsx', '.mjs', '.md', '.tf', '.hcl', '.yaml', '.example'];
/** They name what they look for. */
const EXEMPT = new Set(['tools/checks/prose.ts', 'test/tooling/prose.test.ts']);

/** Can't be broken: an address, a linter's directive, a command to paste. */
const WHOLE = /https?:\/\/|^\s*\/\/ oxlint-|^\s*\/\/ +node /;

/** The word alone between quotes or slashes, or inside a name, is data: 'nobody', /nobody/tasks. */
const PERSON =
  /(?<![\w'"`/-])(?:nobody|somebody|anybody|whoever)\b(?!-)|(?<=['"`])(?:nobody|somebody|anybody|whoever)(?= |’|'s)/gi;

export function checkProse(root: string): CheckResult {
  const files = projectFiles(root, SCANNED).filter((file) => !EXEMPT.has(file));
  const sources = new Set(sourceFiles(root));
  const findings = files.flatMap((file) => {
    const text = readSource(root, file);
    return [...(sources.has(file) ? longComments(file, text) : []), ...personsIn(file, text)];
  });
  return {
    findings,
    summary: `${files.length} files; comments of .ts files have ${COLUMNS} columns`,
  };
}

function longComments(file: string, text: string): Finding[] {
  const lines = text.split('\n');
  const commented = parseSync(file, text).comments.flatMap(({ start, end }) => {
    const [first, last] = [lineOf(text, start), lineOf(text, end)];
    return Array.from({ length: last - first + 1 }, (_, index) => first + index);
  });
  return [...new Set(commented)].flatMap((line) => {
    const written = lines[line - 1] ?? '';
    if (written.length <= COLUMNS || WHOLE.test(written)) return [];
    return [{ file, line, message: `${written.length} columns, a comment has ${COLUMNS}.` }];
  });
}

function personsIn(file: string, text: string): Finding[] {
  return [...text.matchAll(PERSON)].map((match) => ({
    file,
    line: lineOf(text, match.index),
    message: `"${match[0]}" names no one: say who it is (a caller, an operator, a worker).`,
  }));
}

if (import.meta.main) runCheck(checkProse);

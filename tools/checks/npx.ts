// `npx holdfast` outside a project that has the package fetches what a stranger publishes under the
// name, and runs it with the caller's tokens in its environment. `--no` refuses instead.
import { runCheck, type CheckResult } from './report.ts';
import { lineOf, projectFiles, readSource } from './sources.ts';

const SCANNED = ['.md', '.ts', '.tsx', '.mjs', '.js', '.json', '.tf', '.yaml', '.example'];
/** They speak of it, and tell no one to run it. */
const EXEMPT = new Set(['tools/checks/npx.ts', 'test/tooling/npx.test.ts']);

const FETCHING = /\b(?:npx|npm exec|npm x|npm init)\s+(?!--no\s)[^\n`]*?\bholdfast\b/g;

export function checkNpx(root: string): CheckResult {
  const files = projectFiles(root, SCANNED).filter((file) => !EXEMPT.has(file));
  const findings = files.flatMap((file) => {
    const text = readSource(root, file);
    return [...text.matchAll(FETCHING)].map((match) => ({
      file,
      line: lineOf(text, match.index),
      message: `"${match[0]}" would fetch what a stranger publishes; write \`npx --no holdfast\`.`,
    }));
  });
  return { findings, summary: `${files.length} files tell no one to run what npx would fetch` };
}

if (import.meta.main) runCheck(checkNpx);

import type { Finding } from './sources.ts';

/** What a check answers: what is wrong, and one line to print when nothing is. */
export interface CheckResult {
  readonly findings: readonly Finding[];
  readonly summary: string;
}

/** Runs a check from the command line: `node check.ts [root]`. */
export function runCheck(check: (root: string) => CheckResult): void {
  const { findings, summary } = check(process.argv[2] ?? process.cwd());
  for (const { file, line, message } of findings) {
    process.stdout.write(`${file}:${line}: ${message}\n`);
  }
  process.stdout.write(
    `${findings.length === 0 ? 'ok' : `${findings.length} found`}: ${summary}\n`,
  );
  if (findings.length > 0) process.exitCode = 1;
}

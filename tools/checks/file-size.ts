import { runCheck, type CheckResult } from './report.ts';
import { readSource, sourceFiles } from './sources.ts';

const SOURCE_LIMIT = 400;
const TEST_LIMIT = 600;

export function checkFileSizes(root: string): CheckResult {
  const sizes = sourceFiles(root).map((file) => ({
    file,
    lines: readSource(root, file).trimEnd().split('\n').length,
  }));
  const findings = sizes
    .filter(({ file, lines }) => lines > limitOf(file))
    .map(({ file, lines }) => ({
      file,
      line: limitOf(file),
      message: `${lines} lines, the limit is ${limitOf(file)}: split it along its ideas.`,
    }));
  const sources = sizes.filter(({ file }) => !isTest(file)).map(({ lines }) => lines);
  return {
    findings,
    summary: `${sizes.length} files; median of ${sources.length} source files: ${median(sources)} lines`,
  };
}

function isTest(file: string): boolean {
  return file.startsWith('test/') || file.endsWith('.test.ts');
}

function limitOf(file: string): number {
  return isTest(file) ? TEST_LIMIT : SOURCE_LIMIT;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

if (import.meta.main) runCheck(checkFileSizes);

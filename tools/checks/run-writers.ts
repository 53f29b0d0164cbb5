// A run's row has one writer: shared/app/change. Elsewhere `runDoc` can only be read, which the
// types say; this check keeps the two names that could write it where they belong. Tests and
// benches may plant rows.
import { parseSync } from 'vite';
import { runCheck, type CheckResult } from './report.ts';
import { lineOf, readSource, sourceFiles, type Finding } from './sources.ts';

/** Each name that writes the row, and the files that may import it. */
const WRITERS: Readonly<Record<string, readonly string[]>> = {
  writableRun: ['shared/app/change/'],
  // The kit looks on.
  runCodec: ['shared/app/change/writable-run.ts', 'shared/app/records/', 'testing/rows.ts'],
};
const FREE = ['test/', 'bench/'];

export function checkRunWriters(root: string): CheckResult {
  const files = sourceFiles(root).filter(
    (file) => !FREE.some((folder) => file.startsWith(folder)) && !file.endsWith('.test.ts'),
  );
  return {
    findings: files.flatMap((file) => breachesOf(file, readSource(root, file))),
    summary: `${files.length} files leave the rows of runs to shared/app/change`,
  };
}

function breachesOf(file: string, text: string): Finding[] {
  const { module } = parseSync(file, text);
  const imported = module.staticImports.flatMap(({ entries }) =>
    entries.map(({ importName }) => ({ name: importName.name, start: importName.start })),
  );
  const passedOn = module.staticExports.flatMap(({ entries }) =>
    entries
      .filter(({ moduleRequest }) => moduleRequest !== null)
      .map(({ importName, start }) => ({ name: importName.name, start })),
  );
  return [...imported, ...passedOn].flatMap(({ name, start }) => {
    const allowed =
      typeof name === 'string' && Object.hasOwn(WRITERS, name) ? WRITERS[name] : undefined;
    if (allowed === undefined || allowed.some((place) => file.startsWith(place))) return [];
    const message = `${String(name)} writes the rows of runs: change them by shared/app/change.`;
    return [{ file, line: lineOf(text, start ?? 0), message }];
  });
}

if (import.meta.main) runCheck(checkRunWriters);

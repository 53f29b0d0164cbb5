import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { isEquivalent } from './equivalents.ts';

/** What became of the changes of one file. */
export interface FileFound {
  readonly file: string;
  readonly tried: number;
  /** Without those of equivalents.ts. */
  readonly survive: number;
  readonly text: string;
}

const mutant = z.object({
  status: z.string(),
  mutatorName: z.string(),
  replacement: z.string().optional(),
  location: z.object({ start: z.object({ line: z.number() }) }),
});
const report = z.object({
  files: z.record(z.string(), z.object({ source: z.string(), mutants: z.array(mutant) })),
});

/** Reads Stryker's report; each survivor is a line of a file's text. */
export function readReport(path: string): readonly FileFound[] {
  const { files } = report.parse(JSON.parse(readFileSync(path, 'utf8')));
  return Object.entries(files).map(([file, { mutants, source }]) => {
    const lines = source.split('\n');
    const left = mutants
      .filter(({ status }) => status === 'Survived' || status === 'NoCoverage')
      .map(({ location, mutatorName, replacement = '', status }) => {
        const code = lines[location.start.line - 1]?.trim() ?? '';
        const [now = ''] = replacement.split('\n');
        return { line: location.start.line, mutatorName, code, now, status };
      })
      .filter(({ code, now }) => !isEquivalent(file, code, now));
    const tried = mutants.filter(({ status }) => status !== 'Ignored').length;
    const said = left.map(({ line, mutatorName, code, now, status }) => {
      const unseen = status === 'NoCoverage' ? ', which no test runs' : '';
      return `  ${file}:${line} ${mutatorName}${unseen}: ${code} => ${now}`;
    });
    const text = [`${file}: ${left.length} of ${tried} survive`, ...said].join('\n');
    return { file, tried, survive: left.length, text };
  });
}

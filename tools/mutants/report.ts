import { readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
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
  fileName: z.string(),
  status: z.string(),
  mutatorName: z.string(),
  replacement: z.string().default(''),
  location: z.object({ start: z.object({ line: z.number() }) }),
});

/** Reads what the reporter wrote, a line for each change; each survivor is a line of the text. */
export function readFound(path: string, root: string): readonly FileFound[] {
  const lines = readFileSync(path, 'utf8').split('\n').filter(Boolean);
  const mutants = lines.map((line) => mutant.parse(JSON.parse(line)));
  const tried = mutants.filter(({ status }) => status !== 'Ignored');
  const files = Map.groupBy(tried, ({ fileName }) => relative(root, resolve(root, fileName)));
  return [...files].map(([file, all]) => {
    const code = readFileSync(join(root, file), 'utf8').split('\n');
    const left = all
      .filter(({ status }) => status === 'Survived' || status === 'NoCoverage')
      .map(({ location, mutatorName, replacement, status }) => {
        const { line } = location.start;
        const [now = ''] = replacement.split('\n');
        return { line, mutatorName, code: code[line - 1]?.trim() ?? '', now, status };
      })
      .filter((each) => !isEquivalent(file, each.code, each.now))
      .toSorted((a, b) => a.line - b.line);
    const said = left.map(({ line, mutatorName, code: before, now, status }) => {
      const unseen = status === 'NoCoverage' ? ', which no test runs' : '';
      return `  ${file}:${line} ${mutatorName}${unseen}: ${before} => ${now}`;
    });
    const text = [`${file}: ${left.length} of ${all.length} survive`, ...said].join('\n');
    return { file, tried: all.length, survive: left.length, text };
  });
}

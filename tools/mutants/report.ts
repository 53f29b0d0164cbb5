import { readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { isEquivalent } from './equivalents.ts';
import { readLines } from './found.ts';

/** What became of the changes of one file. */
export interface FileFound {
  readonly file: string;
  readonly tried: number;
  /** Without those of equivalents.ts. */
  readonly survive: number;
  readonly text: string;
}

/** What a run in that folder has found so far; each survivor is a line of the text. */
export function readFound(home: string, sample: number): readonly FileFound[] {
  const changed = join(home, 'changed');
  const tried = readLines(join(home, 'found.jsonl')).filter(
    ({ id, status }) => status !== 'Ignored' && Number(id) % sample === 0,
  );
  const files = Map.groupBy(tried, ({ fileName }) => relative(changed, resolve(changed, fileName)));
  return [...files].map(([file, all]) => {
    const code = readFileSync(join(home, 'sources', file), 'utf8').split('\n');
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

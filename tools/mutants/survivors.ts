import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { FileFound } from './report.ts';

const FILE = join(import.meta.dirname, 'survivors.json');
const allowed = z.record(z.string(), z.object({ tried: z.number(), survive: z.number() }));

/** A line for each file in which more survive than may; one that was never kept has no limit. */
export function tooMany(found: readonly FileFound[]): readonly string[] {
  const known = read();
  return found.flatMap(({ file, survive }) => {
    const most = known[file]?.survive ?? Number.POSITIVE_INFINITY;
    return survive > most ? [`${file}: ${survive} survive, where ${most} may`] : [];
  });
}

export function keepSurvivors(found: readonly FileFound[]): void {
  const kept = read();
  for (const { file, tried, survive } of found) kept[file] = { tried, survive };
  const sorted = Object.entries(kept).toSorted(([a], [b]) => a.localeCompare(b));
  const lines = sorted.map(([file, each]) => `  ${JSON.stringify(file)}: ${JSON.stringify(each)}`);
  writeFileSync(FILE, `{\n${lines.join(',\n')}\n}\n`);
}

function read() {
  return allowed.parse(JSON.parse(readFileSync(FILE, 'utf8')));
}

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { FileFound } from './report.ts';

const FILE = join(import.meta.dirname, 'survivors.json');
const kept = z.object({
  tried: z.number(),
  survive: z.number(),
  /** One change in so many was tried; absent: all. */
  sample: z.number().exactOptional(),
});
const allowed = z.record(z.string(), kept);

/**
 * A line for each file in which more survive than may; one that was never kept has no limit, nor
 * has one of which only a sample was tried.
 */
export function tooMany(found: readonly FileFound[]): readonly string[] {
  const known = read();
  return found.flatMap(({ file, survive }) => {
    const { sample, survive: most = Number.POSITIVE_INFINITY } = known[file] ?? {};
    if (sample !== undefined) return [];
    return survive > most ? [`${file}: ${survive} survive, where ${most} may`] : [];
  });
}

/** Writes them down; those of a sample only where no figure of all changes is known. */
export function keepSurvivors(found: readonly FileFound[], sample: number): void {
  const known = read();
  for (const { file, survive, tried } of found) {
    const before = known[file];
    if (sample === 1) known[file] = { tried, survive };
    else if (before === undefined || before.sample !== undefined)
      known[file] = { tried, survive, sample };
  }
  const sorted = Object.entries(known).toSorted(([a], [b]) => a.localeCompare(b));
  const lines = sorted.map(([file, each]) => `  ${JSON.stringify(file)}: ${JSON.stringify(each)}`);
  writeFileSync(FILE, `{\n${lines.join(',\n')}\n}\n`);
}

function read() {
  return allowed.parse(JSON.parse(readFileSync(FILE, 'utf8')));
}

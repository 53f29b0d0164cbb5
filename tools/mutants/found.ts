import { existsSync, readFileSync } from 'node:fs';
import { z } from 'zod';

/** A line for each change that was tried. */
export const FOUND = process.env['HOLDFAST_MUTANTS_FOUND'] ?? 'found.jsonl';

/** One change in so many is tried. */
const SAMPLE = Number(process.env['HOLDFAST_MUTANTS_SAMPLE'] ?? 1);

export function inSample(id: string): boolean {
  return Number(id) % SAMPLE === 0;
}

const found = z.object({ id: z.string() });

/** The changes that a run before this one tried. */
export function foundBefore(): ReadonlySet<string> {
  const lines = existsSync(FOUND) ? readFileSync(FOUND, 'utf8').split('\n').filter(Boolean) : [];
  return new Set(lines.map((line) => found.parse(JSON.parse(line)).id));
}

import { existsSync, readFileSync } from 'node:fs';
import { z } from 'zod';

/** A line for each change that was tried; of one that was tried again the last one counts. */
export const FOUND = process.env['HOLDFAST_MUTANTS_FOUND'] ?? 'found.jsonl';
/** One change in so many is tried. */
const SAMPLE = Number(process.env['HOLDFAST_MUTANTS_SAMPLE'] ?? 1);
/** Those that survived are tried again, and no others. */
const AGAIN = process.env['HOLDFAST_MUTANTS_AGAIN'] === 'yes';

export const foundMutant = z.object({
  id: z.string(),
  fileName: z.string(),
  status: z.string(),
  mutatorName: z.string(),
  replacement: z.string().default(''),
  location: z.object({ start: z.object({ line: z.number() }) }),
});

export function readLines(path: string): readonly z.infer<typeof foundMutant>[] {
  const lines = existsSync(path) ? readFileSync(path, 'utf8').split('\n').filter(Boolean) : [];
  const all = lines.map((line) => foundMutant.parse(JSON.parse(line)));
  return [...new Map(all.map((each) => [each.id, each])).values()];
}

const before = new Map(readLines(FOUND).map(({ id, status }) => [id, status]));

/** It is of the sample, and no run before this one has tried it. */
export function isDue(id: string): boolean {
  const status = before.get(id);
  if (AGAIN) return status === 'Survived' || status === 'NoCoverage';
  return status === undefined && Number(id) % SAMPLE === 0;
}

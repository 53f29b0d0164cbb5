// What became of each change, a line at a time: a night that is cut short has told what it found.
import { appendFileSync } from 'node:fs';

const FOUND = process.env['HOLDFAST_MUTANTS_FOUND'] ?? 'found.jsonl';

const reporter = {
  onMutantTested: (mutant: object) => appendFileSync(FOUND, `${JSON.stringify(mutant)}\n`),
};

const make = Object.assign(() => reporter, { inject: [] });
export const strykerPlugins = [{ kind: 'Reporter', name: 'lines', factory: make }];

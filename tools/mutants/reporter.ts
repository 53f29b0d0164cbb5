// What became of each change, a line at a time: a night that is cut short has told what it found.
import { appendFileSync } from 'node:fs';
import { FOUND, foundMutant, isDue } from './found.ts';

const reporter = {
  onMutantTested: (mutant: unknown) => {
    const line = foundMutant.parse(mutant);
    if (isDue(line.id)) appendFileSync(FOUND, `${JSON.stringify(line)}\n`);
  },
};

const make = Object.assign(() => reporter, { inject: [] });
export const strykerPlugins = [{ kind: 'Reporter', name: 'lines', factory: make }];

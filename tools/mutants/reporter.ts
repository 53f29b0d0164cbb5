// What became of each change, a line at a time: a night that is cut short has told what it found.
import { appendFileSync } from 'node:fs';
import { z } from 'zod';
import { FOUND, isDue } from './found.ts';

const tested = z.looseObject({ id: z.string() });

const reporter = {
  onMutantTested: (mutant: unknown) => {
    const { coveredBy, ...line } = tested.parse(mutant);
    if (isDue(line.id)) appendFileSync(FOUND, `${JSON.stringify(line)}\n`);
  },
};

const make = Object.assign(() => reporter, { inject: [] });
export const strykerPlugins = [{ kind: 'Reporter', name: 'lines', factory: make }];

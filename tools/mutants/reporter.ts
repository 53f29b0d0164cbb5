// What became of each change, a line at a time: a night that is cut short has told what it found.
import { appendFileSync } from 'node:fs';
import { z } from 'zod';
import { FOUND, foundBefore, inSample } from './found.ts';

const tested = z.looseObject({ id: z.string(), status: z.string() });
const before = foundBefore();

const reporter = {
  onMutantTested: (mutant: unknown) => {
    const line = tested.parse(mutant);
    if (inSample(line.id) && !before.has(line.id))
      appendFileSync(FOUND, `${JSON.stringify(line)}\n`);
  },
};

const make = Object.assign(() => reporter, { inject: [] });
export const strykerPlugins = [{ kind: 'Reporter', name: 'lines', factory: make }];

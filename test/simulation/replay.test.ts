import { test } from 'vitest';
import { faultsFromText } from './faults.ts';
import { fileScenarios } from './file-scenarios.ts';
import { race } from './race.ts';
import { everything } from './random-schedules.ts';
import { files } from './random-files.ts';
import { notices } from './random-notices.ts';
import { ticks } from './random-ticks.ts';
import { ticking } from './ticking-agent.ts';
import { waits } from './random-waits.ts';
import { mustHold, tidy } from './schedule.ts';
import { scenarios } from './scenarios.ts';
import { waitingScenarios } from './waiting-scenarios.ts';

// A schedule that broke a guarantee names itself: `scenario:seed:faults`. With that in
// HOLDFAST_REPLAY this file runs it again, step for step, and prints every call, log line and
// commit:
//   HOLDFAST_REPLAY='short:1:crash-after@37' npm test -- test/simulation/replay
const wanted = process.env['HOLDFAST_REPLAY'];

test.runIf(wanted !== undefined)(
  'the schedule of HOLDFAST_REPLAY keeps every guarantee',
  async () => {
    const [name = '', seed = '1', faults = ''] = (wanted ?? '').split(':');
    const plan = faultsFromText(faults);
    const trace = (line: string): boolean => process.stdout.write(`${line}\n`);
    const drawn = [everything, waits, files, race, notices, ticks].find(
      (each) => each.name === name,
    );
    const scenario =
      drawn?.scenario ?? { ...scenarios, ...waitingScenarios, ...fileScenarios, ticking }[name];
    if (scenario === undefined) throw new TypeError(`no scenario ${name}`);
    const options =
      drawn === undefined ? tidy(Number(seed), plan, scenario) : drawn.world(Number(seed), plan);
    await mustHold(name, Number(seed), plan, scenario, { ...options, trace });
  },
);

import { FAULTS, type FaultPlan } from './faults.ts';
import { mustHold, tidy } from './schedule.ts';
import { type Scenarios, scenarios } from './scenarios.ts';

const SEED = 1;
/** The plainest way to fail, and to die, before and after a call. */
const PLAIN = FAULTS.filter((fault) => fault !== 'fail-late' && fault !== 'outage');

/**
 * Plays a scenario without faults, then once for each call that it made and each fault that the
 * call can meet. Answers how often.
 */
export async function everyFaultAtEveryCall(
  name: string,
  from: Scenarios = scenarios,
): Promise<number> {
  const scenario = from[name];
  if (scenario === undefined) throw new TypeError(`no scenario ${name}`);
  const once = (plan: FaultPlan) =>
    mustHold(name, SEED, plan, scenario, tidy(SEED, plan, scenario));
  const faults = scenario.plainly ? PLAIN : FAULTS;
  const { calls } = await once(new Map());
  for (let call = 1; call <= calls; call += 1) {
    for (const fault of faults) await once(new Map([[call, fault]]));
  }
  return 1 + calls * faults.length;
}

/** Every second scenario, so that two files share the work. */
export const shareOfScenarios = (share: 0 | 1, from: Scenarios = scenarios): readonly string[] =>
  Object.keys(from).filter((_, at) => at % 2 === share);

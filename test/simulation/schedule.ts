import { type FaultPlan, faultsToText } from './faults.ts';
import { finalProblem } from './invariants/at-the-end.ts';
import type { Scenario } from './scenarios.ts';
import { World, type WorldOptions } from './world.ts';

/** A guarantee that was not kept, and what brings it back. */
export class BrokenGuarantee extends Error {
  constructor(replay: string, problem: string) {
    super(`${problem}\nagain: HOLDFAST_REPLAY='${replay}' npm test -- test/simulation/replay`);
    this.name = 'BrokenGuarantee';
  }
}

export interface Outcome {
  readonly calls: number;
  readonly problem: string | undefined;
  readonly world: World;
}

/** Runs one schedule to its end. */
export async function play(scenario: Scenario, options: WorldOptions): Promise<Outcome> {
  const world = new World(options);
  await world.run(scenario.story(world));
  const problem = await finalProblem(world, scenario.cancels ?? false);
  return { calls: world.network.calls, problem, world };
}

/**
 * A tidy world: one process, and a queue that delivers soon and once. What goes wrong is in the
 * plan.
 */
export function tidy(seed: number, plan: FaultPlan, scenario?: Scenario): WorldOptions {
  const queue = { drop: 0, duplicate: 0, late: 2, durable: false };
  const idempotency = scenario?.unrecognised ? 'off' : 'always';
  const lane = scenario?.claims ? 1 : 0;
  const ticks = scenario?.ticks ?? false;
  return { seed, plan, ticks, processes: 1, queue, slow: 5, missed: 0, skew: 0, idempotency, lane };
}

export async function mustHold(
  name: string,
  seed: number,
  plan: FaultPlan,
  scenario: Scenario,
  options: WorldOptions,
): Promise<Outcome> {
  const outcome = await play(scenario, options);
  if (outcome.problem !== undefined) {
    throw new BrokenGuarantee(`${name}:${seed}:${faultsToText(plan)}`, outcome.problem);
  }
  return outcome;
}

import type { Millis } from '../domain/brand.ts';
import type { Ending } from '../app/agents.ts';
import type { Death } from './messages.ts';

/** An agent in a process of its own did not hand its thread back, and was ended for that. */
export class AgentStalled extends Error {
  override readonly name = 'AgentStalled';
}

/** The process of an agent took more memory than it may have. */
export class AgentOutOfMemory extends Error {
  override readonly name = 'AgentOutOfMemory';
}

/** The process of an agent ended by itself, or was killed. */
export class AgentProcessEnded extends Error {
  override readonly name = 'AgentProcessEnded';
}

/** A word for each that callers and programs read. */
const FAULTS = {
  stalled: 'AGENT_STALLED',
  memory: 'AGENT_OUT_OF_MEMORY',
  ended: 'AGENT_PROCESS_ENDED',
} as const satisfies Record<Death['kind'], string>;

export interface Bounds {
  readonly silence: Millis;
  /** Bytes. */
  readonly memory: number;
}

/** A run that was at work in a process as that ended. */
export interface Caught {
  readonly run: number;
  /** It is the only one that the process ever had. */
  readonly alone: boolean;
}

/**
 * What becomes of it. `failed`: its own code did it, as it does with any other fault of its own.
 * `interrupted`: another one's code did it, and it begins again without an attempt counted.
 * `retry`: that is not known; it is tried again, in a process of its own, which an attempt counts.
 */
export function fateOf(death: Death, caught: Caught, agent: string, bounds: Bounds): Ending {
  const culprit = death.kind === 'ended' ? undefined : death.seen.run;
  const others = death.kind === 'stalled' && culprit !== undefined && culprit !== caught.run;
  if (others) return { kind: 'interrupted' };
  const error = errorOf(death, agent, bounds);
  const blamed = caught.alone || (death.kind === 'stalled' && culprit === caught.run);
  if (!blamed) return { kind: 'retry', error };
  return { kind: 'failed', parts: [], error, fault: FAULTS[death.kind] };
}

export function errorOf(death: Death, agent: string, { memory, silence }: Bounds): Error {
  const name = JSON.stringify(agent);
  switch (death.kind) {
    case 'stalled':
      return withStack(
        new AgentStalled(
          `the agent ${name} held its thread for ${seconds(silence)} and was ended: hand it on between shares of long work, or raise the setting agentSilence`,
        ),
        death.seen.stack,
      );
    case 'memory':
      return withStack(
        new AgentOutOfMemory(
          `the agent ${name} took more than the ${Math.round(memory / 2 ** 20)} MiB of memory that it may have (setting agentMemory), and was ended`,
        ),
        death.seen.stack,
      );
    case 'ended':
      return withStack(
        new AgentProcessEnded(`the process of the agent ${name} ended: ${death.how}`),
        [],
      );
  }
}

const seconds = (span: Millis): string => `${span / 1_000} s`;

/** Where the agent was, not where that was noticed. */
function withStack<E extends Error>(error: E, frames: readonly string[]): E {
  error.stack = [`${error.name}: ${error.message}`, ...frames].join('\n');
  return error;
}

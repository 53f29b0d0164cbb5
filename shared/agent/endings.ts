import type { Ending } from '../app/agents.ts';
import { RetryLater } from '../models/retry-later.ts';

/**
 * Ends a segment from anywhere in an agent's code; not an error. Made by `ctx.ask` and
 * `ctx.reject`.
 */
export class SegmentEnding extends Error {
  readonly ending: Ending;

  constructor(ending: Ending) {
    super(`this segment ends: ${ending.kind}`);
    this.name = 'SegmentEnding';
    this.ending = ending;
  }
}

/**
 * Thrown by an agent that failed for good; the message is shown to the caller. The message of any
 * other error is not shown.
 */
export class TaskFailed extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'TaskFailed';
  }
}

/** The segment is run again, after the delay. */
export type TriedAgain = Extract<Ending, { kind: 'retry' }>;

export function triedAgain(error: unknown): TriedAgain {
  const delay = error instanceof RetryLater ? error.delay : undefined;
  return { kind: 'retry', error, ...(delay !== undefined && { delay }) };
}

/** The ending that an agent's code threw; undefined for any other error. */
export function thrownEnding(error: unknown): Ending | undefined {
  if (error instanceof SegmentEnding) return error.ending;
  if (error instanceof RetryLater) return triedAgain(error);
  if (error instanceof TaskFailed)
    return { kind: 'failed', parts: [{ text: error.message }], error };
  return undefined;
}

import { type Backoff, backoff } from '../domain/backoff.ts';
import type { Millis } from '../domain/brand.ts';
import type { Fault } from '../ports/faults.ts';
import { answered } from './answered.ts';

export interface RepeatedCallOptions {
  /** The service, for the fault. */
  readonly what: string;
  /** For all attempts together; then the outcome is unknown. */
  readonly deadline: Millis;
  /**
   * For the first attempt: where one that takes longer most likely met a dead connection, this
   * leaves time for another on a new one. The whole deadline unless given.
   */
  readonly first?: Millis;
  /** What an error means; one whose advice is `retry` is tried again. */
  readonly faultOf: (error: unknown) => Fault;
}

const ATTEMPTS = 4;
const PAUSES: Backoff = { first: 100 };

/**
 * Calls until there is an answer, at most four times within the deadline; for calls that may be
 * made again. Here and not in Google's clients: they would repeat for minutes, and not tell their
 * caller that an earlier attempt may have been applied. An attempt is told how long it may take.
 */
export async function repeatedCall<T>(
  options: RepeatedCallOptions,
  attempt: (deadline: Millis) => Promise<T>,
): Promise<T> {
  const { what, deadline, first = deadline, faultOf } = options;
  const until = performance.now() + deadline;
  for (let tries = 1; ; tries += 1) {
    const left = Math.ceil(until - performance.now());
    const allowed = tries === 1 ? Math.min(Math.ceil(first), left) : left;
    try {
      return await answered(what, attempt(allowed), allowed);
    } catch (error) {
      const fault = faultOf(error);
      const pause = backoff(PAUSES, tries) * (0.5 + Math.random());
      if (fault.advice !== 'retry' || tries === ATTEMPTS || performance.now() + pause >= until) {
        throw fault;
      }
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }
}

import { setTimeout as sleep } from 'node:timers/promises';
import { type Fault, Unavailable } from '../ports/faults.ts';

export interface RepeatedCallOptions {
  /** The service, for the fault. */
  readonly what: string;
  /** Milliseconds for all attempts together; then the outcome is unknown. */
  readonly deadline: number;
  /** What an error means; one whose advice is `retry` is tried again. */
  readonly faultOf: (error: unknown) => Fault;
}

const ATTEMPTS = 4;
const PAUSE = 50;

/**
 * Calls until there is an answer, at most four times within the deadline; for calls that may be made again. Here and not in
 * Google's clients: they would repeat for minutes, and not tell their caller that an earlier attempt may have been applied.
 */
export async function repeatedCall<T>(
  options: RepeatedCallOptions,
  attempt: () => Promise<T>,
): Promise<T> {
  const { what, deadline, faultOf } = options;
  const timeout = new AbortController();
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    timeout.abort();
    late.reject(new Unavailable(what, new Error(`no answer within ${deadline} ms`)));
  }, deadline);
  // Nobody may be listening any more when it rings.
  late.promise.catch(() => {});
  const work = async (): Promise<T> => {
    for (let tries = 1; ; tries += 1) {
      try {
        return await attempt();
      } catch (error) {
        const fault = faultOf(error);
        if (fault.advice !== 'retry' || tries === ATTEMPTS || timeout.signal.aborted) throw fault;
        await sleep(PAUSE * 2 ** tries * (0.5 + Math.random()), undefined, { ref: false });
      }
    }
  };
  try {
    return await Promise.race([work(), late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

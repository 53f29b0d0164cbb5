import { Fault, isFault, Unavailable } from '../../ports/faults.ts';

const WHAT = 'Cloud Storage';

/** The HTTP status of a refused call; undefined when there was no answer. */
export function statusOf(error: unknown): number | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  const code = Number(error.code);
  return Number.isInteger(code) ? code : undefined;
}

/**
 * What it means for the caller (https://cloud.google.com/storage/docs/retry-strategy). 401 is a token that expired on the
 * way. What is not known to pass (a missing right, a missing bucket, credentials that are not there) is for a person.
 */
export function faultOf(error: unknown): Fault {
  if (isFault(error)) return error;
  const status = statusOf(error);
  const unanswered = status === undefined && hasCode(error);
  const passing = status !== undefined && (status >= 500 || [401, 408, 429].includes(status));
  if (unanswered || passing) return new Unavailable(WHAT, error);
  const message = error instanceof Error ? error.message : String(error);
  return new Fault('ObjectsRefused', 'stop', `${WHAT} refused a call: ${message}`, error);
}

/** Errors of the network carry Node's code in words; a fault of the program carries none. */
function hasCode(error: unknown): boolean {
  return error instanceof Error && 'code' in error && typeof error.code === 'string';
}

import { badCall, type Fault, isFault, ServiceRefused, Unavailable } from '../../ports/faults.ts';
import { isOfNetwork, isPassingStatus } from '../grpc-status.ts';

const WHAT = 'Cloud Storage';
/** Bad request, length required, too large, range, precondition of a call that had none. */
const WRONG: ReadonlySet<number> = new Set([400, 411, 412, 413, 416]);

/**
 * The HTTP status of an answer of the service. Undefined where there was none: an error of the
 * server that gives tokens has a status of its own, and its 404 says nothing of an object.
 */
export function answerOf(error: unknown): number | undefined {
  const ofService = typeof error === 'object' && error !== null && 'errors' in error;
  return ofService && Array.isArray(error.errors) ? statusOf(error) : undefined;
}

export function statusOf(error: unknown): number | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  const code = Number(error.code);
  return Number.isInteger(code) ? code : undefined;
}

/**
 * What it means for the caller (https://cloud.google.com/storage/docs/retry-strategy). 401 is a
 * token that expired on the way. A missing right or bucket is waited for; a call that no state
 * could answer is a bug.
 */
export function faultOf(error: unknown): Fault {
  if (isFault(error)) return error;
  const status = statusOf(error);
  const unanswered = status === undefined && isOfNetwork(error);
  const passing = status !== undefined && isPassingStatus(status);
  if (unanswered || passing) return new Unavailable(WHAT, error);
  const wrong = status === undefined || WRONG.has(status);
  if (!wrong) return new ServiceRefused('ObjectsRefused', WHAT, error);
  return badCall(WHAT, error);
}

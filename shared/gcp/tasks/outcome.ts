import { badCall, type Fault, isFault, ServiceRefused, Unavailable } from '../../ports/faults.ts';
import { ALREADY_EXISTS, grpcCodeOf, NOT_FOUND, verdictOn } from '../grpc-status.ts';

const WHAT = 'Cloud Tasks';

/** The wake-up is in the queue, or was delivered a short while ago. */
export function isKnown(error: unknown): boolean {
  return grpcCodeOf(error) === ALREADY_EXISTS;
}

/**
 * What it means for the caller. A queue that was idle for 30 days may answer NOT_FOUND until it
 * wakes (queue.proto), and the sweeper asks again. A missing right is waited for.
 */
export function faultOf(error: unknown): Fault {
  if (isFault(error)) return error;
  const verdict = verdictOn(error);
  if (grpcCodeOf(error) === NOT_FOUND || verdict === 'passing') return new Unavailable(WHAT, error);
  if (verdict === 'refused') return new ServiceRefused('QueueRefused', WHAT, error);
  return badCall(WHAT, error);
}

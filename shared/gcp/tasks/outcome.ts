import { Fault, isFault, Unavailable } from '../../ports/faults.ts';
import { ALREADY_EXISTS, grpcCodeOf, NOT_FOUND, PASSING } from '../grpc-status.ts';

/** The wake-up is in the queue, or was delivered a short while ago. */
export function isKnown(error: unknown): boolean {
  return grpcCodeOf(error) === ALREADY_EXISTS;
}

/**
 * What it means for the caller. A queue that nobody used for 30 days may answer NOT_FOUND until it wakes (queue.proto), and
 * the sweeper asks again. A missing right is for a person.
 */
export function faultOf(error: unknown): Fault {
  if (isFault(error)) return error;
  const code = grpcCodeOf(error);
  if (code === NOT_FOUND || (code !== undefined && PASSING.has(code))) {
    return new Unavailable('Cloud Tasks', error);
  }
  const message = error instanceof Error ? error.message : String(error);
  return new Fault('QueueRefused', 'stop', `Cloud Tasks refused a call: ${message}`, error);
}

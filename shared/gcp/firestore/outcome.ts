import { Fault, isFault, Unavailable } from '../../ports/faults.ts';
import {
  ABORTED,
  ALREADY_EXISTS,
  FAILED_PRECONDITION,
  grpcCodeOf,
  NOT_FOUND,
  PASSING,
} from '../grpc-status.ts';

const CONFLICT = new Set([NOT_FOUND, ALREADY_EXISTS, FAILED_PRECONDITION, ABORTED]);

/** A precondition of a commit did not hold. A missing database has the code of a missing document, and is no conflict. */
export function isConflict(error: unknown): boolean {
  const code = grpcCodeOf(error);
  if (code === undefined || !CONFLICT.has(code)) return false;
  const message = error instanceof Error ? error.message : '';
  return code !== NOT_FOUND || !/\bdatabase\b.*\bdoes not exist\b/i.test(message);
}

/** What it means for the caller. Everything that is not known to pass (a missing index, a missing right) is for a person. */
export function faultOf(error: unknown): Fault {
  if (isFault(error)) return error;
  const code = grpcCodeOf(error);
  if (code !== undefined && PASSING.has(code)) return new Unavailable('Firestore', error);
  const message = error instanceof Error ? error.message : String(error);
  return new Fault('StoreRefused', 'stop', `Firestore refused a call: ${message}`, error);
}

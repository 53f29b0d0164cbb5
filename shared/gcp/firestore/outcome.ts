import { badCall, type Fault, isFault, ServiceRefused, Unavailable } from '../../ports/faults.ts';
import {
  ABORTED,
  ALREADY_EXISTS,
  FAILED_PRECONDITION,
  grpcCodeOf,
  NOT_FOUND,
  verdictOn,
} from '../grpc-status.ts';

const WHAT = 'Firestore';
const CONFLICT = new Set([NOT_FOUND, ALREADY_EXISTS, FAILED_PRECONDITION, ABORTED]);

/**
 * A missing database has the code of a missing document, and a key of the customer's that can't be
 * used that of a precondition (https://cloud.google.com/firestore/native/docs/cmek): tried again,
 * they would be met until the deadline and called contention.
 */
const NO_PRECONDITION = /\bdatabase\b.*\bdoes not exist\b|\bencryption key\b|\bCMEK\b/i;

/** A precondition of a commit did not hold. */
export function isConflict(error: unknown): boolean {
  const code = grpcCodeOf(error);
  if (code === undefined || !CONFLICT.has(code)) return false;
  return !(error instanceof Error && NO_PRECONDITION.test(error.message));
}

/**
 * What it means for the caller. A missing right, database or index is waited for; a call that no
 * state could answer is a bug.
 */
export function faultOf(error: unknown): Fault {
  if (isFault(error)) return error;
  const verdict = verdictOn(error);
  if (verdict === 'passing') return new Unavailable(WHAT, error);
  if (verdict === 'refused') return new ServiceRefused('StoreRefused', WHAT, error);
  return badCall(WHAT, error);
}

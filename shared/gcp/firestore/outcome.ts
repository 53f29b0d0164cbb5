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

/**
 * The answer, or a fault, within the deadline. The client has one of its own per attempt but repeats reads behind its
 * caller's back, sleeping up to 60 s, and waits without limit for a connection.
 */
export async function answered<T>(work: Promise<T>, deadline: number): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    late.reject(new Unavailable('Firestore', new Error(`no answer within ${deadline} ms`)));
  }, deadline);
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

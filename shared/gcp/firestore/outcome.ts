import { Fault, isFault, Unavailable } from '../../ports/faults.ts';

// https://grpc.io/docs/guides/status-codes/
const CANCELLED = 1;
const UNKNOWN = 2;
const DEADLINE_EXCEEDED = 4;
const NOT_FOUND = 5;
const ALREADY_EXISTS = 6;
const RESOURCE_EXHAUSTED = 8;
const FAILED_PRECONDITION = 9;
const ABORTED = 10;
const INTERNAL = 13;
const UNAVAILABLE = 14;
const UNAUTHENTICATED = 16;

/** Nobody knows what happened, or it would go better later. UNAUTHENTICATED is a token that expired on the way. */
const PASSING = new Set([
  CANCELLED,
  UNKNOWN,
  DEADLINE_EXCEEDED,
  RESOURCE_EXHAUSTED,
  ABORTED,
  INTERNAL,
  UNAVAILABLE,
  UNAUTHENTICATED,
]);
const CONFLICT = new Set([NOT_FOUND, ALREADY_EXISTS, FAILED_PRECONDITION, ABORTED]);

function codeOf(error: unknown): number | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'number' ? error.code : undefined;
}

/** A precondition of a commit did not hold. A missing database has the code of a missing document, and is no conflict. */
export function isConflict(error: unknown): boolean {
  const code = codeOf(error);
  if (code === undefined || !CONFLICT.has(code)) return false;
  const message = error instanceof Error ? error.message : '';
  return code !== NOT_FOUND || !/\bdatabase\b.*\bdoes not exist\b/i.test(message);
}

/** What it means for the caller. Everything that is not known to pass (a missing index, a missing right) is for a person. */
export function faultOf(error: unknown): Fault {
  if (isFault(error)) return error;
  const code = codeOf(error);
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

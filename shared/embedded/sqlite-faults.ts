import { Unavailable, Unreadable } from '../ports/faults.ts';

/** Primary result codes (https://sqlite.org/rescode.html) after which the same call may succeed. */
const PASSING: ReadonlySet<number> = new Set([
  5, // BUSY: another process holds the file past the timeout
  6, // LOCKED
  7, // NOMEM
  8, // READONLY: a file system that was mounted anew
  9, // INTERRUPT
  10, // IOERR
  13, // FULL
  14, // CANTOPEN
  15, // PROTOCOL: a race for the locks of the log
]);
const DAMAGED: ReadonlySet<number> = new Set([11, 26]); // CORRUPT, NOTADB

/** Runs one piece of work on the database; its faults become those of the port. */
export function guarded<T>(work: () => T, what = 'the database file'): T {
  try {
    return work();
  } catch (error) {
    const code = resultCode(error);
    if (code === undefined) throw error;
    if (PASSING.has(code)) throw new Unavailable(what, error);
    if (DAMAGED.has(code)) throw new Unreadable(what, error);
    throw error;
  }
}

/** Another process holds the file. */
export const isBusy = (error: unknown): boolean => resultCode(error) === 5;

/** Extended codes carry the primary one in their low byte. */
function resultCode(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('errcode' in error)) return undefined;
  return typeof error.errcode === 'number' ? error.errcode & 0xff : undefined;
}

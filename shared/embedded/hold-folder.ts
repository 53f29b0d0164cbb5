import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { makePrivate } from './file-modes.ts';
import { guarded, isBusy } from './sqlite-faults.ts';

/** A server that was asked to stop gets this long to let go of the folder. It blocks the start. */
const PATIENCE = 3_000;

export interface HeldFolder {
  readonly kind: 'held';
  /** False: another server holds the folder, too, and was here first. */
  readonly first: boolean;
  release(): void;
}

/** Another process has the folder; `pid` is its number, if it wrote it down. */
export interface FolderInUse {
  readonly kind: 'in use';
  readonly pid: number | undefined;
}

/**
 * Takes a data folder for one server, or for several that all say that they share it, and makes it
 * if it is not there. The lock is the operating system's, by way of SQLite: it ends with the
 * process, however that ends. Throws what SQLite and the file system throw.
 */
export function holdFolder(
  folder: string,
  { share, patience = PATIENCE }: { readonly share: boolean; readonly patience?: number },
): HeldFolder | FolderInUse {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const lock = join(folder, 'server.lock');
  const note = join(folder, 'server-pid');
  makePrivate(lock);
  const db = new DatabaseSync(lock);
  const taken = (statement: string, wait: number): boolean => {
    try {
      db.exec(`PRAGMA busy_timeout = ${wait}; ${statement}`);
      return true;
    } catch (error) {
      if (!isBusy(error)) throw error;
      return false;
    }
  };
  return guarded(() => {
    try {
      // Of those that share it one alone can be about to write: the first.
      const first = share ? taken('BEGIN IMMEDIATE', 0) : taken('BEGIN EXCLUSIVE', patience);
      const beside = share && !first && taken('BEGIN; SELECT 1 FROM sqlite_schema', patience);
      if (!first && !beside) {
        db.close();
        return { kind: 'in use', pid: pidIn(note) };
      }
      if (first) writeFileSync(note, `${process.pid}\n`, { mode: 0o600 });
      return {
        kind: 'held',
        first,
        release() {
          if (!db.isOpen) return;
          if (first) rmSync(note, { force: true });
          db.close();
        },
      };
    } catch (error) {
      db.close();
      throw error;
    }
  }, `the lock ${lock}`);
}

function pidIn(note: string): number | undefined {
  try {
    const pid = Number(readFileSync(note, 'utf8'));
    return Number.isSafeInteger(pid) && pid > 0 ? pid : undefined;
  } catch {
    return undefined;
  }
}

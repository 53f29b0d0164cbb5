import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { makePrivate } from './file-modes.ts';
import { guarded } from './sqlite-faults.ts';

export interface SqliteOptions {
  readonly file: string;
  /**
   * `normal` (the default): the log is flushed to the disk by checkpoints only. A process that is
   * killed, or crashes, loses nothing. A power cut or a crash of the operating system can lose the
   * commits of the last moments, the newest first; what is left is consistent. `full` flushes at
   * each commit: nothing is lost, at some milliseconds a commit.
   */
  readonly synchronous?: 'normal' | 'full';
  /**
   * How long a call waits for another process before it throws Unavailable. It blocks this process
   * meanwhile.
   */
  readonly busyTimeout?: number;
  /** The file is there, and stays as it is: each commit throws Unavailable. Default: false. */
  readonly readOnly?: boolean;
}

/**
 * Opens a file that several processes may share, or makes it, and lets `prepare` create what it
 * needs, as one change. Throws Unavailable, Unreadable, and the system's own errors for a place
 * that can't be written.
 */
export function openSqliteFile(
  options: SqliteOptions,
  prepare: (db: DatabaseSync) => void,
): DatabaseSync {
  return guarded(() => open(options, prepare), `the database ${options.file}`);
}

function open(options: SqliteOptions, prepare: (db: DatabaseSync) => void): DatabaseSync {
  const timeout = options.busyTimeout ?? 1_000;
  if (options.readOnly === true) return new DatabaseSync(options.file, { timeout, readOnly: true });
  // Rows hold ids and states in the clear: no other user of the machine needs them.
  mkdirSync(dirname(options.file), { recursive: true, mode: 0o700 });
  makePrivate(options.file);
  const db = new DatabaseSync(options.file, { timeout });
  try {
    useLog(db);
    db.exec(`PRAGMA synchronous = ${options.synchronous === 'full' ? 'FULL' : 'NORMAL'}`);
    // A destroyed data key must not stay readable in the free space of its page, nor in a page that
    // was freed.
    db.exec('PRAGMA secure_delete = ON');
    // A quarter of the flushes of the default, at 16 MB of log: commits wait while the log goes to
    // the file, for longer the longer it is.
    db.exec('PRAGMA wal_autocheckpoint = 4000');
    db.exec('BEGIN IMMEDIATE');
    prepare(db);
    db.exec('COMMIT');
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/**
 * Two processes that make the file at once both want it alone; SQLite does not wait for that, it
 * says BUSY.
 */
function useLog(db: DatabaseSync): void {
  const tries = 50;
  for (let attempt = 1; ; attempt += 1) {
    try {
      db.exec('PRAGMA journal_mode = WAL');
      return;
    } catch (error) {
      if (attempt === tries) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
    }
  }
}

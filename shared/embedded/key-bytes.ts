import { randomBytes } from 'node:crypto';
import {
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Unavailable, Unreadable } from '../ports/faults.ts';
import { makePrivate } from './file-modes.ts';

/** Bytes of one key. */
export const KEY = 32;

const what = (file: string): string => `the key file ${file}`;

/**
 * The file's keys one after another, the newest first; undefined without a file. Throws Unreadable,
 * Unavailable.
 */
export function readKeys(file: string): Buffer | undefined {
  let keys: Buffer;
  try {
    keys = readFileSync(file);
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw new Unavailable(what(file), error);
  }
  if (keys.length === 0 || keys.length % KEY !== 0) {
    const why = `it has ${keys.length} bytes, and each of its keys has ${KEY}`;
    throw new Unreadable(what(file), new Error(why));
  }
  return keys;
}

/** Changes whenever the file does; undefined without a file. */
export function versionOfKeys(file: string): string | undefined {
  const found = statSync(file, { throwIfNoEntry: false });
  return found && `${found.ino} ${found.size} ${found.mtimeMs}`;
}

/**
 * Makes the file with one key, unless it is there. Of two processes that start at once, both go on
 * with the first one's key.
 */
export function makeKeys(file: string): void {
  if (versionOfKeys(file) !== undefined) return;
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    withDraft(file, randomBytes(KEY), (draft) => {
      try {
        // Takes the whole key or fails.
        linkSync(draft, file);
      } catch (error) {
        if (!hasCode(error, 'EEXIST')) throw error;
      }
    });
  } catch (error) {
    throw new Unavailable(what(file), error);
  }
}

/**
 * Puts a fresh key in front; the older ones stay for what they wrapped, until that is wrapped anew.
 * Throws Unavailable.
 */
export function rotateKeyFile(file: string): void {
  replace(file, (older) => Buffer.concat([randomBytes(KEY), older]));
}

/**
 * Leaves the newest key alone in the file. What the older ones wrapped can't be unwrapped from then
 * on. Throws Unavailable.
 */
export function retireOlderKeys(file: string): void {
  replace(file, (keys) => keys.subarray(0, KEY));
}

function replace(file: string, next: (keys: Buffer) => Buffer): void {
  const known = readKeys(file);
  if (known === undefined) throw new Unavailable(what(file), new Error('there is no such file'));
  try {
    exclusively(file, () => {
      withDraft(file, next(readKeys(file) ?? known), (draft) => renameSync(draft, file));
    });
  } catch (error) {
    throw new Unavailable(what(file), error);
  }
}

/** One process at a time; a lock of SQLite's ends with its process, however that ends. */
function exclusively(file: string, work: () => void): void {
  const lock = `${file}.lock`;
  makePrivate(lock);
  const db = new DatabaseSync(lock, { timeout: 10_000 });
  try {
    db.exec('BEGIN EXCLUSIVE');
    work();
    db.exec('COMMIT');
  } finally {
    db.close();
  }
}

function withDraft(file: string, keys: Buffer, use: (draft: string) => void): void {
  const draft = `${file}.${randomBytes(6).toString('hex')}`;
  try {
    writeFileSync(draft, keys, { flag: 'wx', mode: 0o600, flush: true });
    use(draft);
  } finally {
    rmSync(draft, { force: true });
  }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}

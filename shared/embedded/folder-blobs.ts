import { randomUUID } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { sha256 } from '../domain/digest.ts';
import type { Blob, Blobs, BlobWrite } from '../ports/blobs.ts';
import { Fault, Unavailable } from '../ports/faults.ts';
import { ObjectIndex } from './object-index.ts';
import { bodyPath } from './object-names.ts';

export interface FolderBlobsOptions {
  /** Bodies lie here by name, as plain files for any reader. */
  readonly root: string;
  /**
   * As for the store: `normal` loses nothing with the process, `full` nothing with the power
   * either.
   */
  readonly synchronous?: 'normal' | 'full';
}

export interface FolderBlobs extends Blobs {
  close(): Promise<void>;
}

/** The generation of a file that no write of this store left there. */
const FOREIGN = 'application/octet-stream';
/** A draft this old belongs to a process that died. */
const ABANDONED = 60 * 60_000;

/**
 * Objects in a folder. The body's rename is the write: before it the object is the old one, after
 * it the new one. What else belongs to the object is in the index under the body's digest, so it
 * fits the body at any moment. Calls run to their end in one turn; a large body costs what the disk
 * takes for it.
 */
export function openFolderBlobs({ root, synchronous = 'normal' }: FolderBlobsOptions): FolderBlobs {
  // Beside the tree, on the same disk: a rename must not become a copy.
  const drafts = `${root}.drafts`;
  mkdirSync(root, { recursive: true, mode: 0o700 });
  mkdirSync(drafts, { recursive: true, mode: 0o700 });
  removeAbandoned(drafts);
  const index = guarded(() => new ObjectIndex(`${root}.index.sqlite`, synchronous));
  const flush = synchronous === 'full';

  function current(name: string): Blob | undefined {
    const path = bodyPath(root, name);
    let before: string | undefined;
    for (;;) {
      const body = readBody(path);
      if (body === undefined) return undefined;
      const digest = sha256(body);
      const entry = index.find(name, digest);
      if (entry !== undefined) {
        const { generation, contentType, metadata } = entry;
        return { body, contentType, generation, metadata };
      }
      // Another process may have replaced the body between the two reads; a body that is still
      // there was written by no process.
      if (digest === before) {
        return { body, contentType: FOREIGN, generation: digest, metadata: {} };
      }
      before = digest;
    }
  }

  function put(name: string, body: Uint8Array, write: BlobWrite) {
    const path = bodyPath(root, name);
    // Checked without the lock first: most stale writes have been stale for long.
    if (write.expect === 'absent' && existsSync(path)) return 'stale';
    const { contentType, metadata = {} } = write;
    const entry = { name, digest: sha256(body), generation: randomUUID(), contentType, metadata };
    const draft = join(drafts, entry.generation);
    try {
      writeFileSync(draft, body, { flag: 'wx', mode: 0o600, flush });
      index.propose(entry);
      const written = index.exclusively(() => {
        const holds =
          write.expect === 'absent'
            ? !existsSync(path)
            : current(name)?.generation === write.expect;
        if (!holds) return false;
        moveInto(draft, path);
        index.settle(entry);
        return true;
      });
      if (written) return { generation: entry.generation };
      index.withdraw(entry);
      return 'stale';
    } finally {
      rmSync(draft, { force: true });
    }
  }

  function remove(name: string): void {
    const path = bodyPath(root, name);
    index.exclusively(() => {
      rmSync(path, { force: true });
      index.drop(name);
      removeEmptyFolders(root, dirname(path));
    });
  }

  function list(prefix: string, limit: number, after = ''): readonly string[] {
    const found: string[] = [];
    for (let last = after; found.length < limit; ) {
      const names = index.names(prefix, last, limit);
      for (const name of names) {
        if (!name.startsWith(prefix)) return found;
        // A crash can leave the entry of a body that never came.
        if (found.length < limit && existsSync(bodyPath(root, name))) found.push(name);
      }
      const end = names.at(-1);
      if (end === undefined || names.length < limit) break;
      last = end;
    }
    return found;
  }

  return {
    get: async (name) => guarded(() => current(name)),
    put: async (name, body, write) => guarded(() => put(name, body, write)),
    delete: async (name) => guarded(() => remove(name)),
    list: async (prefix, limit, after) => guarded(() => list(prefix, limit, after)),
    close: async () => index.close(),
  };
}

/** The folder may be new, or have been emptied and removed meanwhile. */
function moveInto(draft: string, path: string): void {
  try {
    renameSync(draft, path);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    renameSync(draft, path);
  }
}

function readBody(path: string): Uint8Array | undefined {
  try {
    return new Uint8Array(readFileSync(path));
  } catch (error) {
    // A folder in its place, or a file in its folder's place: no object of that name.
    if (['ENOENT', 'ENOTDIR', 'EISDIR'].includes(codeOf(error))) return undefined;
    throw error;
  }
}

function removeAbandoned(drafts: string): void {
  for (const draft of readdirSync(drafts)) {
    const path = join(drafts, draft);
    const written = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
    if (written < Date.now() - ABANDONED) rmSync(path, { force: true });
  }
}

function removeEmptyFolders(root: string, folder: string): void {
  try {
    for (let empty = folder; empty !== root; empty = dirname(empty)) rmdirSync(empty);
  } catch {
    // The first that is not empty, or not there, ends the way up.
  }
}

function guarded<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof Fault || error instanceof TypeError) throw error;
    const code = codeOf(error);
    // Here an object can't be the folder of another, as it can in a bucket; no layout needs that.
    if (code === 'ENOTDIR' || code === 'EISDIR' || code === 'ENOTEMPTY') {
      throw new Fault('BadName', 'stop', 'an object and a folder of one name', error);
    }
    throw code === '' ? error : new Unavailable('the object folder', error);
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

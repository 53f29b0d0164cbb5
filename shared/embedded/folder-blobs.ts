import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { sha256 } from '../domain/digest.ts';
import type { Blob, BlobEntry, Blobs, BlobWrite, BlobWritten } from '../ports/blobs.ts';
import {
  digestOfBody,
  Draft,
  guarded,
  moveInto,
  readBody,
  removeAbandoned,
  removeEmptyFolders,
  streamBody,
} from './object-files.ts';
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
/** Of a streamed body, written in one turn: a body without waits of its own stops no timer. */
const TURN = 4 * 1024 * 1024;

/**
 * Objects in a folder. The body's rename is the write: before it the object is the old one, after
 * it the new one. What else belongs to the object is in the index under the body's digest, so it
 * fits the body at any moment. Calls run to their end in one turn, except for streams; a large body
 * costs what the disk takes for it.
 */
export function openFolderBlobs({ root, synchronous = 'normal' }: FolderBlobsOptions): FolderBlobs {
  // Beside the tree, on the same disk: a rename must not become a copy.
  const drafts = `${root}.drafts`;
  mkdirSync(root, { recursive: true, mode: 0o700 });
  mkdirSync(drafts, { recursive: true, mode: 0o700 });
  removeAbandoned(drafts);
  const index = guarded(() => new ObjectIndex(`${root}.index.sqlite`, synchronous));

  /** The object, as far as `read` looks into its body. */
  function current<T>(
    name: string,
    read: (path: string) => T | undefined,
    digestOf: (body: T) => string,
  ): (Omit<Blob, 'body'> & { readonly body: T }) | undefined {
    const path = bodyPath(root, name);
    let before: string | undefined;
    for (;;) {
      const body = read(path);
      if (body === undefined) return undefined;
      const digest = digestOf(body);
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

  const generationOf = (name: string) =>
    current(name, digestOfBody, (digest) => digest)?.generation;

  /** Asked without the lock first: most stale writes have been stale for long. */
  const exists = (name: string, { expect }: BlobWrite): boolean =>
    expect === 'absent' && existsSync(bodyPath(root, name));

  function put(name: string, body: Uint8Array, write: BlobWrite): BlobWritten {
    if (exists(name, write)) return 'stale';
    const generation = randomUUID();
    const draft = new Draft(join(drafts, generation));
    try {
      draft.write(body);
      return settle(name, draft, generation, write);
    } finally {
      draft.discard();
    }
  }

  async function putStream(
    name: string,
    body: AsyncIterable<Uint8Array>,
    write: BlobWrite,
  ): Promise<BlobWritten> {
    if (guarded(() => exists(name, write))) return 'stale';
    const generation = randomUUID();
    const draft = new Draft(join(drafts, generation));
    try {
      let written = 0;
      for await (const piece of body) {
        draft.write(piece);
        written += piece.byteLength;
        if (written < TURN) continue;
        await setImmediate();
        written = 0;
      }
      return guarded(() => settle(name, draft, generation, write));
    } finally {
      draft.discard();
    }
  }

  /** Moves the draft into the object's place if the expectation holds. */
  function settle(
    name: string,
    draft: Draft,
    generation: string,
    { contentType, metadata = {}, expect }: BlobWrite,
  ): BlobWritten {
    const path = bodyPath(root, name);
    const digest = draft.end(synchronous === 'full');
    const entry = { name, digest, generation, contentType, metadata };
    index.propose(entry);
    const written = index.exclusively(() => {
      const holds = expect === 'absent' ? !existsSync(path) : generationOf(name) === expect;
      if (!holds) return false;
      moveInto(draft.path, path);
      index.settle(entry);
      return true;
    });
    if (written) return { generation };
    index.withdraw(entry);
    return 'stale';
  }

  function remove(name: string): void {
    const path = bodyPath(root, name);
    index.exclusively(() => {
      rmSync(path, { force: true });
      index.drop(name);
      removeEmptyFolders(root, dirname(path));
    });
  }

  function list(prefix: string, limit: number, after = ''): readonly BlobEntry[] {
    const found: BlobEntry[] = [];
    for (let last = after; found.length < limit; ) {
      const names = index.names(prefix, last, limit);
      for (const name of names) {
        if (!name.startsWith(prefix)) return found;
        // A crash can leave the entry of a body that never came.
        const body = statSync(bodyPath(root, name), { throwIfNoEntry: false });
        if (found.length < limit && body?.isFile() === true) {
          found.push({ name, size: body.size, createdAt: Math.floor(body.mtimeMs) });
        }
      }
      const end = names.at(-1);
      if (end === undefined || names.length < limit) break;
      last = end;
    }
    return found;
  }

  return {
    get: async (name) => guarded(() => current(name, readBody, sha256)),
    getStream: async (name, range) => guarded(() => streamBody(bodyPath(root, name), range)),
    put: async (name, body, write) => guarded(() => put(name, body, write)),
    putStream,
    delete: async (name) => guarded(() => remove(name)),
    list: async (prefix, limit, after) => guarded(() => list(prefix, limit, after)),
    close: async () => index.close(),
  };
}

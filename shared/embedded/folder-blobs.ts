import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { sha256 } from '../domain/digest.ts';
import type { Blob, BlobEntry, Blobs, BlobWrite, BlobWritten } from '../ports/blobs.ts';
import {
  digestOfBody,
  Draft,
  guarded,
  makeFolder,
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
 * Objects in a folder. A write is the commit of its entry in the index: before it the object is the
 * old one, after it the new one. The body lies in a draft that is named after the entry's
 * generation; its writer moves it into its place, or the next call for the object, if the writer
 * died: while the draft is there, it is the body. Calls run to their end in one turn, except for
 * streams; a large body costs what the disk takes for it.
 */
export function openFolderBlobs({ root, synchronous = 'normal' }: FolderBlobsOptions): FolderBlobs {
  // Beside the tree, on the same disk: a rename must not become a copy.
  const drafts = `${root}.drafts`;
  mkdirSync(root, { recursive: true, mode: 0o700 });
  mkdirSync(drafts, { recursive: true, mode: 0o700 });
  const index = guarded(() => new ObjectIndex(`${root}.index.sqlite`, synchronous));
  guarded(tidy);

  /** Moves the body of a write that was committed, if its writer did not. */
  function finish(name: string): string {
    const path = bodyPath(root, name);
    for (const generation of index.generations(name)) {
      const draft = join(drafts, generation);
      if (existsSync(draft)) moveInto(draft, path);
    }
    return path;
  }

  /** After a crash: drafts are bodies, or belong to no write and go. */
  function tidy(): void {
    for (const draft of readdirSync(drafts)) {
      const name = index.nameOf(draft);
      if (name === undefined) removeAbandoned(join(drafts, draft));
      else finish(name);
    }
  }

  /** The object, as far as `read` looks into its body. */
  function current<T>(
    name: string,
    read: (path: string) => T | undefined,
    digestOf: (body: T) => string,
  ): (Omit<Blob, 'body'> & { readonly body: T }) | undefined {
    let before: string | undefined;
    for (;;) {
      const body = read(finish(name));
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
    } catch (error) {
      draft.discard();
      throw error;
    }
    return commit(name, draft, generation, write);
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
    } catch (error) {
      draft.discard();
      throw error;
    }
    return guarded(() => commit(name, draft, generation, write));
  }

  function commit(
    name: string,
    draft: Draft,
    generation: string,
    { contentType, metadata = {}, expect }: BlobWrite,
  ): BlobWritten {
    const digest = draft.end(synchronous === 'full');
    const entry = { name, digest, generation, contentType, metadata };
    // What fails in here was not committed; of a commit that fails this is not known, so the draft
    // stays for the next start.
    const path = index.exclusively(() => {
      try {
        const place = finish(name);
        const holds = expect === 'absent' ? !existsSync(place) : generationOf(name) === expect;
        if (!holds) {
          draft.discard();
          return undefined;
        }
        // A file in the folder's place is noticed while nothing has happened.
        makeFolder(place);
        index.settle(entry);
        return place;
      } catch (error) {
        draft.discard();
        throw error;
      }
    });
    if (path === undefined) return 'stale';
    moveInto(draft.path, path);
    return { generation };
  }

  function remove(name: string): void {
    index.exclusively(() => {
      const path = finish(name);
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
        // A body may have been taken away by hand.
        const body = statSync(finish(name), { throwIfNoEntry: false });
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
    getStream: async (name, range) => guarded(() => streamBody(finish(name), range)),
    put: async (name, body, write) => guarded(() => put(name, body, write)),
    putStream,
    delete: async (name) => guarded(() => remove(name)),
    list: async (prefix, limit, after) => guarded(() => list(prefix, limit, after)),
    close: async () => index.close(),
  };
}

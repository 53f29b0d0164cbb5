import { buffer } from 'node:stream/consumers';
import type { Backend, Write } from '../../shared/ports/backend.ts';
import type { Blobs } from '../../shared/ports/blobs.ts';

/** A backend that does some things its own way; everything else is the one below. */
export function wrapped(below: Backend, over: Partial<Backend>): Backend {
  return {
    read: (paths) => below.read(paths),
    commit: (checks, writes) => below.commit(checks, writes),
    query: (query, after) => below.query(query, after),
    count: (query) => below.count(query),
    follow: (query, after, signal) => below.follow(query, after, signal),
    watch: (path, signal) => below.watch(path, signal),
    close: () => below.close(),
    ...over,
  };
}

/** A backend whose commits go through `commit`. */
export function withCommit(below: Backend, commit: Backend['commit']): Backend {
  return wrapped(below, { commit });
}

/** Objects that do some things their own way; a body that comes as a stream goes through `put`. */
export function wrappedBlobs(below: Blobs, over: Partial<Blobs>): Blobs {
  const put = over.put ?? ((...given) => below.put(...given));
  return {
    get: (name) => below.get(name),
    getStream: (...given) => below.getStream(...given),
    put,
    putStream: async (name, body, write) => put(name, await buffer(body), write),
    delete: (name) => below.delete(name),
    list: (...given) => below.list(...given),
    ...over,
  };
}

/**
 * A commit with a revision in it: in a document of its own, or in the journal entry that came with
 * it.
 */
export function makesPublic(writes: readonly Write[]): boolean {
  return writes.some(
    ({ fields, path }) =>
      fields !== undefined && (path.includes('/revisions/') || fields['own'] !== undefined),
  );
}

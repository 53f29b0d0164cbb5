import type { Backend, Write } from '../../shared/ports/backend.ts';

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

import type { Backend } from '../../shared/ports/backend.ts';

/** A backend whose commits go through `commit`; everything else is the one below. */
export function withCommit(
  below: Backend,
  commit: (...args: Parameters<Backend['commit']>) => ReturnType<Backend['commit']>,
): Backend {
  return {
    read: (paths) => below.read(paths),
    commit,
    query: (query, after) => below.query(query, after),
    count: (query) => below.count(query),
    follow: (query, after, signal) => below.follow(query, after, signal),
    close: () => below.close(),
  };
}

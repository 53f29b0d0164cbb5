import type { Backend, Fields, Row, Value, Write } from '../../shared/ports/backend.ts';
import { makesPublic } from '../app/wrapped.ts';

/** A database that takes every commit, whatever it expected: the last writer wins. */
export function forgetsExpectations(backend: Backend, of = /./): Backend {
  return {
    ...bound(backend),
    commit: (checks, writes) =>
      backend.commit(
        checks.filter(({ path }) => !of.test(path)),
        writes.map((write) => (of.test(write.path) ? { ...write, expect: 'any' } : write)),
      ),
  };
}

const isPlain = (value: Value | undefined): value is Fields =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  !(value instanceof Uint8Array);

/** A database that loses the commit ids, so that no transaction recognises its own success. */
export function forgetsCommitIds(backend: Backend): Backend {
  let count = 0;
  const nameless = (fields: Fields, id: string): Fields => {
    if ('commitId' in fields) return { ...fields, commitId: id };
    const { own } = fields;
    return isPlain(own) ? { ...fields, own: { ...own, commitId: id } } : fields;
  };
  return {
    ...bound(backend),
    commit: (checks, writes) => {
      // Only a commit with a revision has an id of its own; any other carries the old one on.
      if (!makesPublic(writes)) {
        return backend.commit(checks, writes);
      }
      count += 1;
      const renamed = writes.map(
        (write): Write =>
          write.fields === undefined
            ? write
            : { ...write, fields: nameless(write.fields, `${count}`) },
      );
      return backend.commit(checks, renamed);
    },
  };
}

/** A database that commits the row of a run, and what belongs to it only afterwards. */
export function tearsCommits(backend: Backend): Backend {
  return {
    ...bound(backend),
    async commit(checks, writes) {
      const row = writes.filter(({ path }) => /^runs\/[^/]+$/.test(path));
      const rest = writes.filter((write) => !row.includes(write));
      if (row.length === 0 || rest.length === 0) return backend.commit(checks, writes);
      const first = await backend.commit(checks, row);
      return first === 'conflict' ? first : backend.commit([], rest);
    },
  };
}

/** A database that now and then answers a reader from what it had at first. */
export function answersFromAnOldCopy(backend: Backend): Backend {
  const old = new Map<string, Row>();
  let reads = 0;
  return {
    ...bound(backend),
    async read(paths) {
      const rows = await backend.read(paths);
      return rows.map((row, at) => {
        const path = paths[at] ?? '';
        if (!/^tasks\/[^/]+$/.test(path)) return row;
        if (row === undefined) return row;
        reads += 1;
        if (!old.has(path)) old.set(path, row);
        return reads % 4 === 0 ? old.get(path) : row;
      });
    },
  };
}

/** A database that brings the newest news twice. */
export function repeatsNews(backend: Backend): Backend {
  return {
    ...bound(backend),
    async *follow(query, after, signal) {
      for await (const rows of backend.follow(query, after, signal)) {
        yield rows;
        yield rows;
      }
    },
  };
}

/** The methods of a backend that has them on its class. */
export function bound(backend: Backend): Backend {
  return {
    read: (paths) => backend.read(paths),
    commit: (checks, writes) => backend.commit(checks, writes),
    query: (query, after) => backend.query(query, after),
    count: (query) => backend.count(query),
    follow: (query, after, signal) => backend.follow(query, after, signal),
    watch: (path, signal) => backend.watch(path, signal),
    close: () => backend.close(),
  };
}

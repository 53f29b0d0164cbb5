import type { Backend } from '../../shared/ports/backend.ts';

/**
 * What a database would bill: documents read and written, and commits. A query counts its rows, and
 * at least one.
 */
export interface Counts {
  transactions: number;
  reads: number;
  writes: number;
}

export interface CountingBackend extends Backend {
  /** Since it was last asked. */
  counted(): Readonly<Counts>;
}

/**
 * Counts each call of an adapter, also those that meet a conflict: they are paid for all the same.
 */
export function countingBackend(backend: Backend): CountingBackend {
  let counts: Counts = { transactions: 0, reads: 0, writes: 0 };
  return {
    counted() {
      const counted = counts;
      counts = { transactions: 0, reads: 0, writes: 0 };
      return counted;
    },
    read(paths) {
      counts.reads += paths.length;
      return backend.read(paths);
    },
    commit(checks, writes) {
      counts.transactions += 1;
      counts.writes += writes.length;
      // What a body read is verified by its version, without another read.
      return backend.commit(checks, writes);
    },
    async query(query, after) {
      const rows = await backend.query(query, after);
      counts.reads += Math.max(1, rows.length);
      return rows;
    },
    async count(query) {
      const found = await backend.count(query);
      // One for each 1,000 index entries (https://firebase.google.com/docs/firestore/pricing).
      counts.reads += Math.max(1, Math.ceil(found / 1_000));
      return found;
    },
    async *follow(query, after, signal) {
      // The first look, which most often finds nothing yet.
      counts.reads += 1;
      for await (const rows of backend.follow(query, after, signal)) {
        counts.reads += rows.length;
        yield rows;
      }
    },
    async *watch(path, signal) {
      for await (const row of backend.watch(path, signal)) {
        counts.reads += 1;
        yield row;
      }
    },
    close: () => backend.close(),
  };
}

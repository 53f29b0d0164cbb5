import type { Backend, Position, RowQuery } from '../../ports/backend.ts';
import { Fault } from '../../ports/faults.ts';
import { collectionAddress, documentAddress } from '../../store/addresses.ts';
import { measureWrites } from '../../store/limits.ts';
import { requireIndex } from '../../store/query-plan.ts';
import { createConnection } from '../connection.ts';
import type { Keepalive } from '../grpc-channel.ts';
import { type FirestoreClient, openClient } from './client.ts';
import { commit } from './commit.ts';
import { follow, SILENCE } from './follow.ts';
import { faultOf } from './outcome.ts';
import { queryOf } from './query.ts';
import { rowOf } from './values.ts';
import { watch } from './watch.ts';

export interface FirestoreOptions {
  readonly projectId: string;
  readonly databaseId?: string;
  /** A call that has no answer after this many milliseconds is given up; its outcome is unknown. */
  readonly deadline?: number;
  readonly keepalive?: Keepalive;
}

/**
 * FIRESTORE_EMULATOR_HOST leads to an emulator. Nothing is loaded or connected before the first
 * call.
 */
export function createFirestoreBackend(options: FirestoreOptions): Backend {
  const { databaseId = '(default)', deadline = 5_000 } = options;
  const closing = new AbortController();
  const connection = createConnection<FirestoreClient>({
    what: 'Firestore',
    open: () => openClient({ ...options, databaseId, deadline }),
    close: ({ firestore }) => firestore.terminate(),
  });

  function requireOpen(): void {
    if (closing.signal.aborted) throw new Fault('StoreClosed', 'stop', 'the store is closed');
  }

  async function ask<T>(call: (client: FirestoreClient) => Promise<T>): Promise<T> {
    requireOpen();
    try {
      return await connection.ask(call, deadline);
    } catch (error) {
      throw faultOf(error);
    }
  }

  return {
    async read(paths) {
      paths.forEach(documentAddress);
      if (paths.length === 0) return [];
      return ask(async ({ firestore }) => {
        const snapshots = await firestore.getAll(...paths.map((path) => firestore.doc(path)));
        return snapshots.map(rowOf);
      });
    },

    async commit(checks, writes) {
      for (const { path } of [...checks, ...writes]) documentAddress(path);
      measureWrites(writes);
      if (checks.length === 0 && writes.length === 0) return { versions: [] };
      requireOpen();
      return commit(connection, checks, writes, deadline);
    },

    async query(query, after) {
      requireServed(query);
      if (query.limit <= 0) return [];
      return ask(async (opened) => {
        const { docs } = await queryOf(opened, query, after).limit(query.limit).get();
        return docs.flatMap((snapshot) => rowOf(snapshot) ?? []);
      });
    },

    async count(query) {
      requireServed(query);
      if (query.limit <= 0) return 0;
      return ask(async (opened) => {
        const counted = await queryOf(opened, query).limit(query.limit).count().get();
        return counted.data().count;
      });
    },

    async *follow(query: RowQuery, after: Position | undefined, signal: AbortSignal) {
      requireServed(query);
      if (query.order?.direction === 'desc') {
        throw new Fault('BadQuery', 'stop', 'only an ascending query can be followed');
      }
      requireOpen();
      const until = AbortSignal.any([signal, closing.signal]);
      yield* follow({ connection, deadline, silence: SILENCE }, query, after, until);
    },

    async *watch(path, signal) {
      documentAddress(path);
      requireOpen();
      yield* watch({ connection, deadline }, path, AbortSignal.any([signal, closing.signal]));
    },

    async close() {
      closing.abort();
      await connection.close(deadline);
    },
  };
}

/** The emulator answers every query, with or without an index. */
function requireServed(query: RowQuery): void {
  requireIndex(collectionAddress(query.collection).shape, query);
}

import type { Backend, Position, RowQuery } from '../../ports/backend.ts';
import { Fault } from '../../ports/faults.ts';
import { collectionAddress, documentAddress } from '../../store/addresses.ts';
import { measureWrites } from '../../store/limits.ts';
import { requireIndex } from '../../store/query-plan.ts';
import { type Client, openClient } from './client.ts';
import { commit } from './commit.ts';
import { follow } from './follow.ts';
import { answered, faultOf } from './outcome.ts';
import { queryOf } from './query.ts';
import { rowOf } from './values.ts';

export interface FirestoreOptions {
  readonly projectId: string;
  readonly databaseId?: string;
  /** A call that has no answer after this many milliseconds is given up; its outcome is unknown. */
  readonly deadline?: number;
}

/** FIRESTORE_EMULATOR_HOST leads to an emulator. Nothing is loaded or connected before the first call. */
export function createFirestoreBackend(options: FirestoreOptions): Backend {
  const { projectId, databaseId = '(default)', deadline = 5_000 } = options;
  const closing = new AbortController();
  let opening: Promise<Client> | undefined;

  function client(): Promise<Client> {
    if (closing.signal.aborted) throw new Fault('StoreClosed', 'stop', 'the store is closed');
    opening ??= openClient({ projectId, databaseId, deadline });
    return opening;
  }

  /** The time that the client takes to load is not the database's. */
  async function ask<T>(call: (client: Client) => Promise<T>): Promise<T> {
    const opened = await client();
    try {
      return await answered(call(opened), deadline);
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
      if (checks.length === 0 && writes.length === 0) return 'committed';
      return commit(await client(), checks, writes, deadline);
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
      return ask(async (opened) => (await queryOf(opened, query).count().get()).data().count);
    },

    async *follow(query: RowQuery, after: Position | undefined, signal: AbortSignal) {
      requireServed(query);
      if (query.order?.direction === 'desc') {
        throw new Fault('BadQuery', 'stop', 'only an ascending query can be followed');
      }
      yield* follow(await client(), query, after, AbortSignal.any([signal, closing.signal]));
    },

    async close() {
      closing.abort();
      const opened = await opening?.catch(() => undefined);
      // Waits for the calls that are on their way.
      if (opened !== undefined) await answered(opened.firestore.terminate(), deadline);
    },
  };
}

/** The emulator answers every query, with or without an index. */
function requireServed(query: RowQuery): void {
  requireIndex(collectionAddress(query.collection).shape, query);
}

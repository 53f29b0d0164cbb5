import { type Backoff, backoff } from '../../domain/backoff.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Query } from '@google-cloud/firestore';
import type { Position, Row, RowQuery } from '../../ports/backend.ts';
import { isFault, Unavailable } from '../../ports/faults.ts';
import { positionOf } from '../../store/cursor.ts';
import type { Connection } from '../connection.ts';
import type { FirestoreClient } from './client.ts';
import { faultOf } from './outcome.ts';
import { queryOf } from './query.ts';
import { rowOf } from './values.ts';

/**
 * A listener keeps every document that it ever saw, and would read a long backlog at once. So each
 * one reads no more rows than this, and the next begins behind them: that bounds the memory,
 * however slow the consumer.
 */
const WINDOW = 200;

const PAUSES: Backoff = { first: 200, most: 5_000 };

/**
 * A listener that has been silent for so long is checked by a query of our own. Seen with the
 * emulator: a row that is written while a listener is being set up may never reach it, and then a
 * stream would be silent for ever.
 */
export const SILENCE = 20_000;

export interface Listening {
  readonly connection: Connection<FirestoreClient>;
  /** Milliseconds for one such query. */
  readonly deadline: number;
  /** Milliseconds without a word after which a listener is checked. */
  readonly silence: number;
}

export async function* follow(
  { connection, deadline, silence }: Listening,
  query: RowQuery,
  after: Position | undefined,
  signal: AbortSignal,
): AsyncIterable<readonly Row[]> {
  const window = Math.min(query.limit, WINDOW);
  let position = after;
  let failures = 0;
  while (!signal.aborted) {
    const { client, replaced } = await connection.held();
    const until = AbortSignal.any([signal, replaced]);
    if (until.aborted) continue;
    const news = listen(queryOf(client, query, position).limit(window), until);
    try {
      for (let seen = 0; seen < window; ) {
        const rows = await news.next(silence);
        if (rows === 'silence') {
          const look = (asked: FirestoreClient) => queryOf(asked, query, position).limit(1).get();
          const missed = await unlessAborted(connection.ask(look, deadline), until);
          // Another listener begins behind the position, and is told at once what this one was not.
          if (missed?.empty === false && !news.ready) break;
          continue;
        }
        const last = rows.at(-1);
        // Only the end comes without rows: its reader's, or that of a client which heard nothing
        // more.
        if (last === undefined) break;
        failures = 0;
        seen += rows.length;
        position = positionOf(query, last);
        yield rows;
      }
    } catch (error) {
      const fault = faultOf(error);
      if (!(fault instanceof Unavailable)) throw fault;
      failures += 1;
      await sleep(backoff(PAUSES, failures), undefined, { signal }).catch(() => {});
    } finally {
      news.end();
    }
  }
}

/** The answer, or undefined as soon as it is not wanted any more. */
async function unlessAborted<T>(answer: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const end = (): void => resolve(undefined);
  signal.addEventListener('abort', end);
  if (signal.aborted) end();
  try {
    return await Promise.race([answer, promise]);
  } finally {
    signal.removeEventListener('abort', end);
  }
}

interface News {
  /**
   * The rows that came since the last call, as soon as there are any; none at the end. `silence`
   * after that many milliseconds.
   */
  next(silence: number): Promise<readonly Row[] | 'silence'>;
  /** There are rows already. */
  readonly ready: boolean;
  end(): void;
}

function listen(query: Query, signal: AbortSignal): News {
  let waiting: Row[] = [];
  let failure: unknown;
  let wake = Promise.withResolvers<void>();
  const stop = query.onSnapshot(
    (snapshot) => {
      for (const change of snapshot.docChanges()) {
        // The collection only grows; what a purge removes, or moves into the window by that, is no
        // news.
        const row = change.type === 'added' ? rowOf(change.doc) : undefined;
        if (row !== undefined) waiting.push(row);
      }
      if (waiting.length > 0) wake.resolve();
    },
    (error) => {
      // The client has tried again by itself for a while; without a code it only says that it gave
      // up.
      failure = isFault(error) || 'code' in error ? error : new Unavailable('Firestore', error);
      wake.resolve();
    },
  );
  const end = (): void => {
    signal.removeEventListener('abort', end);
    stop();
    wake.resolve();
  };
  // At once, also while the consumer is busy: an open listener keeps the client from closing.
  signal.addEventListener('abort', end);
  return {
    get ready() {
      return waiting.length > 0;
    },
    async next(silence) {
      const quiet = new AbortController();
      const slept = sleep(silence, true, { ref: false, signal: quiet.signal }).catch(() => false);
      const silent = await Promise.race([wake.promise.then(() => false), slept]);
      quiet.abort();
      if (silent) return 'silence';
      const rows = waiting;
      waiting = [];
      if (signal.aborted) return [];
      if (rows.length > 0) {
        if (failure === undefined) wake = Promise.withResolvers();
        return rows;
      }
      throw failure;
    },
    end,
  };
}

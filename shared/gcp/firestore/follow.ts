import { setTimeout as sleep } from 'node:timers/promises';
import type { Query } from '@google-cloud/firestore';
import type { Position, Row, RowQuery } from '../../ports/backend.ts';
import { isFault, Unavailable } from '../../ports/faults.ts';
import { positionOf } from '../../store/cursor.ts';
import type { Client } from './client.ts';
import { faultOf } from './outcome.ts';
import { queryOf } from './query.ts';
import { rowOf } from './values.ts';

/**
 * A listener keeps every document that it ever saw, and would read a long backlog at once. So each one looks at no more
 * rows than this, and the next begins behind them: that bounds the memory, however slow the consumer.
 */
const WINDOW = 200;

const PAUSE = 100;
const PAUSE_MAX = 5_000;

/**
 * A listener that has said nothing for so long is checked by a look of our own. Seen with the emulator: what is written while a
 * listener is being set up may never be told to it, and then a stream would be silent for ever.
 */
const SILENCE = 20_000;

export async function* follow(
  client: Client,
  query: RowQuery,
  after: Position | undefined,
  signal: AbortSignal,
  silence = SILENCE,
): AsyncIterable<readonly Row[]> {
  const window = Math.min(query.limit, WINDOW);
  let position = after;
  let failures = 0;
  while (!signal.aborted) {
    const news = listen(queryOf(client, query, position).limit(window), signal);
    try {
      for (let seen = 0; seen < window; ) {
        const rows = await news.next(silence);
        if (rows === 'silence') {
          const missed = await queryOf(client, query, position).limit(1).get();
          // Another listener begins behind the position, and is told at once what this one was not.
          if (!missed.empty && !news.ready) break;
          continue;
        }
        const last = rows.at(-1);
        // Only the end comes without rows.
        if (last === undefined) return;
        failures = 0;
        seen += rows.length;
        position = positionOf(query, last);
        yield rows;
      }
    } catch (error) {
      const fault = faultOf(error);
      if (!(fault instanceof Unavailable)) throw fault;
      failures += 1;
      await sleep(Math.min(PAUSE * 2 ** failures, PAUSE_MAX), undefined, { signal }).catch(
        () => {},
      );
    } finally {
      news.end();
    }
  }
}

interface News {
  /** The rows that came since the last call, as soon as there are any; none at the end. `silence` after that many milliseconds. */
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
        // The collection only grows; what a purge removes, or moves into the window by that, is no news.
        const row = change.type === 'added' ? rowOf(change.doc) : undefined;
        if (row !== undefined) waiting.push(row);
      }
      if (waiting.length > 0) wake.resolve();
    },
    (error) => {
      // The client has tried again by itself for a while; without a code it only says that it gave up.
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

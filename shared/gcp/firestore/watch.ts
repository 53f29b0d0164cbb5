import { type Backoff, backoff } from '../../domain/backoff.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DocumentReference, DocumentSnapshot } from '@google-cloud/firestore';
import type { Row } from '../../ports/backend.ts';
import { isFault, Unavailable } from '../../ports/faults.ts';
import type { Listening } from './follow.ts';
import { faultOf } from './outcome.ts';
import { rowOf } from './values.ts';

const PAUSES: Backoff = { first: 200, most: 5_000 };

/**
 * One document, by a listener: a read for each change, and none while nothing changes. Seen with
 * the emulator: what is written while a listener is being set up may never be told to it. So a
 * while after its first word the document is read once more.
 */
export async function* watch(
  { connection, deadline }: Omit<Listening, 'silence'>,
  path: string,
  signal: AbortSignal,
  check = 300,
): AsyncIterable<Row | undefined> {
  let version: string | undefined = '';
  let failures = 0;
  while (!signal.aborted) {
    const { client, replaced } = await connection.held();
    const until = AbortSignal.any([signal, replaced]);
    if (until.aborted) continue;
    const news = listen(client.firestore.doc(path), until);
    void sleep(check, undefined, { signal: until, ref: false })
      .then(() => connection.ask(({ firestore }) => firestore.doc(path).get(), deadline))
      .then((snapshot) => news.tell(snapshot))
      // The listener goes on, and its owner looks at the row by itself from time to time.
      .catch(() => undefined);
    try {
      for (;;) {
        const snapshot = await news.next();
        if (snapshot === undefined) break;
        failures = 0;
        const row = rowOf(snapshot);
        if (row?.version === version) continue;
        version = row?.version;
        yield row;
      }
    } catch (error) {
      const fault = faultOf(error);
      if (!(fault instanceof Unavailable)) throw fault;
      failures += 1;
      const pause = backoff(PAUSES, failures);
      await sleep(pause, undefined, { signal }).catch(() => undefined);
    } finally {
      news.end();
    }
  }
}

interface News {
  /** The newest state since the last call, as soon as there is one; undefined at the end. */
  next(): Promise<DocumentSnapshot | undefined>;
  tell(snapshot: DocumentSnapshot): void;
  end(): void;
}

function listen(document: DocumentReference, signal: AbortSignal): News {
  let newest: DocumentSnapshot | undefined;
  let failure: Error | undefined;
  let wake = Promise.withResolvers<void>();
  const tell = (snapshot: DocumentSnapshot): void => {
    // The look of our own may be older than what the listener has said meanwhile.
    if (newest !== undefined && newest.readTime.valueOf() > snapshot.readTime.valueOf()) return;
    newest = snapshot;
    wake.resolve();
  };
  const stop = document.onSnapshot(tell, (error) => {
    failure = isFault(error) || 'code' in error ? error : new Unavailable('Firestore', error);
    wake.resolve();
  });
  const end = (): void => {
    signal.removeEventListener('abort', end);
    stop();
    wake.resolve();
  };
  signal.addEventListener('abort', end);
  return {
    tell,
    end,
    async next() {
      await wake.promise;
      if (signal.aborted) return undefined;
      if (failure !== undefined) throw failure;
      wake = Promise.withResolvers();
      return newest;
    },
  };
}

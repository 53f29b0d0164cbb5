import type { Millis } from '../../domain/brand.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Doc, Store, Transaction } from '../../ports/store.ts';

/** What a process knows is at most so old: one read in so long, not one for each task. */
export const FRESH: Millis = 5_000;

/** A fact of the installation that each process remembers for a few seconds. */
export interface KnownDocument<T> {
  /** As it was `FRESH` ago at most. Throws Unavailable. */
  lately(): Promise<T>;
  /** As it is now. Throws Unavailable. */
  now(): Promise<T>;
  /** Commits what this makes of it, if it makes anything. Throws Unavailable, Contention. */
  change<A>(to: (present: T) => Made<T, A>, deadline?: Millis): Promise<A>;
}

/** What a change makes of a document, and answers to the one who makes it. */
export interface Made<T, A> {
  /** Absent: it stays as it is. */
  readonly next?: T;
  /** What is written with it. */
  readonly note?: (tx: Pick<Transaction, 'create'>) => void;
  readonly answer: A;
}

export function knownDocument<T>(
  { clock, store }: { readonly clock: Clock; readonly store: Store },
  doc: Doc<T>,
  absent: T,
): KnownDocument<T> {
  let known: { readonly value: T; readonly at: Millis } | undefined;

  async function now(): Promise<T> {
    // The time before the read: what is committed during it may be missing.
    const at = clock.now();
    const value = (await store.get(doc)) ?? absent;
    known = { value, at };
    return value;
  }

  return {
    now,
    async lately() {
      return known !== undefined && clock.now() < known.at + FRESH ? known.value : now();
    },
    async change(to, deadline) {
      const at = clock.now();
      const { answer, value } = await store.transact(async (tx) => {
        const present = (await tx.get(doc)) ?? absent;
        const made = to(present);
        if (made.next !== undefined) {
          tx.set(doc, made.next);
          made.note?.(tx);
        }
        return { answer: made.answer, value: made.next ?? present };
      }, deadline);
      known = { value, at };
      return answer;
    },
  };
}

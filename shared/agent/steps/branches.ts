import type { Ending } from '../../app/agents.ts';
import type { Awaited } from '../../domain/signal.ts';
import { comparePaths } from './recorded.ts';

/** What a branch that stands still has come to: it goes on with a value, or the segment ends. */
export type Taken<T> =
  | { readonly kind: 'goes on'; readonly value: T }
  | { readonly kind: 'ends'; readonly ending: Ending };

/**
 * What a branch waits for. `now`: nothing but the end of the segment. `other`: a person or another
 * agent. `time`: a time or an event, of which a segment may end with the first to be over.
 */
export type WaitKind = 'now' | 'other' | 'time';
const ORDER: readonly WaitKind[] = ['now', 'other', 'time'];

interface Standing {
  readonly kind: WaitKind;
  readonly path: readonly number[];
  /** When it is over; of waits for time the first to be over is taken. */
  readonly until: number;
  /** It is over sooner if such an event comes; `seen`: so many had come when it was looked for. */
  readonly event?: AwaitedEvent;
  /** True: the branch goes on. */
  readonly take: (awaited: Awaited | undefined) => Promise<boolean>;
}

interface AwaitedEvent {
  readonly name: string;
  readonly seen: number;
}

/**
 * The branches of a function that works in steps. One that can't go on stands still for good, and
 * none of its code runs any more: no `catch` of its author's takes a wait for a fault, and no
 * `finally` cleans up what is still in use. When all stand still, the first in order is taken.
 */
export class Branches {
  /** Settled when the segment is to end. */
  readonly ended: Promise<Ending>;
  readonly #end: (ending: Ending) => void;
  readonly #fail: (error: unknown) => void;
  readonly #standing: Standing[] = [];
  #active = 1;

  constructor() {
    const { promise, reject, resolve } = Promise.withResolvers<Ending>();
    this.ended = promise;
    this.#end = resolve;
    this.#fail = reject;
    // The function may have ended before.
    promise.catch(() => undefined);
  }

  /** Ends the segment, whatever other branches are at. The answer never comes. */
  end<T>(ending: Ending): Promise<T> {
    this.#end(ending);
    return new Promise(() => undefined);
  }

  /** The segment can't go on. The answer never comes: no code of the author's sees the fault. */
  fail<T>(error: unknown): Promise<T> {
    this.#fail(error);
    return new Promise(() => undefined);
  }

  /** Stands still until it is taken, which may be never. */
  wait<T>(
    { until = 0, ...wait }: Omit<Standing, 'until' | 'take'> & { readonly until?: number },
    take: (awaited: Awaited | undefined) => Promise<Taken<T>>,
  ): Promise<T> {
    return new Promise((resolve) => {
      this.#standing.push({
        ...wait,
        until,
        take: async (awaited) => {
          const taken = await take(awaited);
          if (taken.kind === 'goes on') resolve(taken.value);
          else this.#end(taken.ending);
          return taken.kind === 'goes on';
        },
      });
      this.#leave();
    });
  }

  /** Runs all of them side by side; the answer has them in the order of their positions. */
  async all<T>(
    branches: readonly (() => Promise<T>)[],
  ): Promise<readonly PromiseSettledResult<T>[]> {
    if (branches.length === 0) return [];
    // The one that waits for all is not at work itself.
    this.#active += branches.length - 1;
    let left = branches.length;
    const settled = branches.map(async (branch) => {
      try {
        return await branch();
      } finally {
        left -= 1;
        if (left > 0) this.#leave();
      }
    });
    return Promise.allSettled(settled);
  }

  #leave(): void {
    this.#active -= 1;
    if (this.#active === 0) void this.#takeFirst();
  }

  async #takeFirst(): Promise<void> {
    const [first] = this.#standing.toSorted(inOrder);
    if (first === undefined) return;
    const awaited = awaitedBy(this.#standing);
    this.#standing.splice(this.#standing.indexOf(first), 1);
    this.#active += 1;
    try {
      if (!(await first.take(awaited))) this.#active -= 1;
    } catch (error) {
      this.#fail(error);
    }
  }
}

/** What any of them would go on with. */
function awaitedBy(standing: readonly Standing[]): Awaited | undefined {
  const events = standing.flatMap(({ event }) => event ?? []);
  if (events.length === 0) return undefined;
  const names = [...new Set(events.map(({ name }) => name))];
  return { names, seen: Math.min(...events.map(({ seen }) => seen)) };
}

function inOrder(one: Standing, other: Standing): number {
  return (
    ORDER.indexOf(one.kind) - ORDER.indexOf(other.kind) ||
    one.until - other.until ||
    comparePaths(one.path, other.path)
  );
}

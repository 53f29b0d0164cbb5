import type { Blobs } from '../../shared/ports/blobs.ts';
import { Unavailable } from '../../shared/ports/faults.ts';
import { MemoryBlobs } from '../../testing/memory-blobs.ts';

/** Answers 0 to n-1: which of n ways a run goes on. */
export type Choose = (ways: number) => number;

/**
 * Runs once for each sequence of choices there is, and answers how many. What a run throws says
 * which choices led to it.
 */
export async function everyWay(run: (choose: Choose) => Promise<void>): Promise<number> {
  const path: { choice: number; readonly ways: number }[] = [];
  for (let runs = 1; ; runs += 1) {
    let at = 0;
    const choose = (ways: number): number => {
      if (ways < 1) throw new RangeError('nothing to choose from');
      const step = (path[at] ??= { choice: 0, ways });
      at += 1;
      return step.choice;
    };
    try {
      await run(choose);
    } catch (cause) {
      const choices = path.map(({ choice }) => choice).join(' ');
      throw new Error(`run ${runs}, choices ${choices}: ${String(cause)}`, { cause });
    }
    while (path.length > 0 && path.at(-1)?.choice === (path.at(-1)?.ways ?? 0) - 1) path.pop();
    const last = path.at(-1);
    if (last === undefined) return runs;
    last.choice += 1;
  }
}

/** What becomes of one call: done, done with a lost answer, or the process died around it. */
export type Fate = 'answered' | 'answer lost' | 'died before' | 'died after';

/** Processes over the same objects, of which one at a time makes its next call, by choice. */
export class Processes {
  readonly objects = new MemoryBlobs({ now: () => 0 });
  readonly #waiting = new Map<number, () => void>();
  #moved = Promise.withResolvers<void>();
  #count = 0;
  #running = 0;

  /** The objects as one process has them; `fate` says what becomes of its nth call (from 0). */
  process(fate: (call: number) => Fate = () => 'answered'): Blobs {
    const id = this.#count;
    this.#count += 1;
    let calls = 0;
    const step = async <T>(call: () => Promise<T>): Promise<T> => {
      const turn = Promise.withResolvers<void>();
      this.#waiting.set(id, turn.resolve);
      this.#moved.resolve();
      await turn.promise;
      const end = fate(calls);
      calls += 1;
      if (end === 'died before') return this.#never();
      const answer = await call();
      if (end === 'died after') return this.#never();
      if (end === 'answer lost') throw new Unavailable('the storage');
      return answer;
    };
    const { objects } = this;
    return {
      get: (name) => step(() => objects.get(name)),
      put: (name, body, write) => step(() => objects.put(name, body, write)),
      delete: (name) => step(() => objects.delete(name)),
      list: (prefix, limit, after) => step(() => objects.list(prefix, limit, after)),
      getStream: (name, range) => step(() => objects.getStream(name, range)),
      putStream: (name, body, write) => step(() => objects.putStream(name, body, write)),
    };
  }

  /**
   * Runs what the processes do until each has ended or died. The error of one is its outcome; one
   * that died has none.
   */
  async run(choose: Choose, works: readonly (() => Promise<unknown>)[]) {
    const outcomes = works.map((): unknown => 'died');
    this.#running = works.length;
    for (const [n, work] of works.entries()) {
      const done = (outcome: unknown): void => {
        outcomes[n] = outcome;
        this.#running -= 1;
        this.#moved.resolve();
      };
      void work().then(() => done('done'), done);
    }
    for (;;) {
      // Each that lives waits for its turn, or is on its way there.
      while (this.#waiting.size < this.#running) {
        await this.#moved.promise;
        this.#moved = Promise.withResolvers<void>();
      }
      const ready = [...this.#waiting].sort(([a], [b]) => a - b);
      const next = ready.length === 0 ? undefined : ready[choose(ready.length)];
      if (next === undefined) return outcomes;
      const [id, go] = next;
      this.#waiting.delete(id);
      go();
    }
  }

  #never(): Promise<never> {
    this.#running -= 1;
    this.#moved.resolve();
    return new Promise(() => undefined);
  }
}

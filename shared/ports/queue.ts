import type { Millis } from '../domain/brand.ts';
import type { TaskId } from '../domain/ids.ts';
import type { ObligationKind } from '../domain/obligations.ts';
import type { Traceparent } from '../domain/trace-context.ts';

/** `notice`: what operators are to be told (docs/notices.md), which is about no one row. */
export type WakeUpKind = ObligationKind | 'notice';

/** The nil UUID (RFC 9562): the id of no task, in a wake-up that is about none. */
export const NO_TASK = '00000000-0000-0000-0000-000000000000' as TaskId;

/**
 * A wake-up says only where to look: ids and the revision that it was made for. The handler reads
 * the row and decides, so a wake-up may come twice, late, out of order, or for a row that is long
 * past it (G24).
 */
export interface WakeUp {
  readonly kind: WakeUpKind;
  readonly taskId: TaskId;
  readonly revision: number;
  /** Not before this time; at once when it has passed. */
  readonly at: Millis;
  /**
   * Raised when the sweeper finds it still due: then it is a new wake-up for a queue that remembers
   * what it delivered, and the same one for a queue that forgets (decision 0009). Absent is 0.
   */
  readonly repeat?: number;
  /** Other rows that need the same: a purge is handed over for many at once. */
  readonly also?: readonly TaskId[];
  /** The one webhook of the task that it is about; absent: all of them. */
  readonly webhook?: string;
  /** Of a notice: the target that is looked after. */
  readonly target?: string;
  /** The span that it came from; no part of the wake-up's identity. */
  readonly trace?: Traceparent;
}

export interface Queue {
  /**
   * Hands a wake-up over for at-least-once delivery. One that is known already is dropped. Throws
   * Unavailable; then the sweeper repeats it when its row's `dueAt` has passed.
   */
  enqueue(wakeUp: WakeUp): Promise<void>;
}

/**
 * Room for one piece of work beside what is delivered, in a queue that runs its handlers in this
 * process.
 */
export interface Place {
  /** Does the work in another turn, and frees the place when it has ended. It must not fail. */
  use(work: () => Promise<void>): void;
  free(): void;
}

/**
 * How a delivery ended: `done` is never delivered again, `again` is, after the queue's back-off.
 */
export type Delivered = 'done' | 'again';
export type WakeUpHandler = (wakeUp: WakeUp) => Promise<Delivered>;

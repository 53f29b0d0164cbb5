import type { Millis } from '../domain/brand.ts';
import type { Place, Queue, WakeUp, WakeUpHandler } from '../ports/queue.ts';
import { LocalQueue, type LocalQueueOptions } from './local-queue.ts';

/** A segment may take minutes, and waits most of the time: many at once cost little. */
const SEGMENTS = 256;

/** A notification may wait for a stranger's server up to `pushTimeout`. No other work waits. */
const PUSHES = 256;

/**
 * The queues of one process: segments in one lane, pushes in another, everything else in a third,
 * as the deployment has a queue for each. So however many agents are at work, what they have done
 * is still projected, and what is lost is still found.
 */
export class LaneQueue implements Queue {
  readonly #segments: LocalQueue;
  readonly #pushes: LocalQueue;
  readonly #rest: LocalQueue;

  constructor(options: LocalQueueOptions) {
    const { concurrency = SEGMENTS, ...common } = options;
    this.#segments = new LocalQueue({ ...common, concurrency });
    this.#pushes = new LocalQueue({ ...common, concurrency: PUSHES });
    this.#rest = new LocalQueue(common);
  }

  enqueue(wakeUp: WakeUp): Promise<void> {
    return this.#laneOf(wakeUp).enqueue(wakeUp);
  }

  /**
   * A place in the lane of segments, for a run that is claimed when it is accepted. Undefined: all
   * are taken, or others were first.
   */
  reserve(): Place | undefined {
    return this.#segments.reserve();
  }

  start(handler: WakeUpHandler): void {
    this.#segments.start(handler);
    this.#pushes.start(handler);
    this.#rest.start(handler);
  }

  /** Resolves when no lane has anything to do: what one does may be work for another. */
  async idle(): Promise<void> {
    await this.#segments.idle();
    await this.#rest.idle();
    await this.#segments.idle();
    await this.#pushes.idle();
  }

  async close(span?: Millis): Promise<void> {
    const lanes = [this.#segments, this.#pushes, this.#rest];
    await Promise.all(lanes.map((lane) => lane.close(span)));
  }

  #laneOf({ kind }: WakeUp): LocalQueue {
    if (kind === 'run') return this.#segments;
    return kind === 'push' || kind === 'notice' ? this.#pushes : this.#rest;
  }
}

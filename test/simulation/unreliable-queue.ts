import type { Millis } from '../../shared/domain/brand.ts';
import type { Clock } from '../../shared/ports/clock.ts';
import type { Ids } from '../../shared/ports/ids.ts';
import type { Delivered, Queue, WakeUp } from '../../shared/ports/queue.ts';

export interface QueueManners {
  /** Chances, 0 to 1. */
  readonly drop: number;
  readonly duplicate: number;
  /** How late a delivery may be. */
  readonly late: Millis;
  /**
   * False: an in-process queue, whose content dies with its process. True: a service, which
   * delivers again, and which drops what it remembers to have delivered.
   */
  readonly durable: boolean;
}

/**
 * Delivers to some process; `lost` when that process died over it, undefined when none is there.
 */
export type Deliver = (wakeUp: WakeUp, owner: number) => Promise<Delivered | 'lost'> | undefined;

/**
 * A queue that keeps to its contract and not a bit more: late, twice, out of order, to any worker,
 * and gone in a crash.
 */
export class UnreliableQueue {
  readonly #clock: Clock;
  readonly #chance: Ids;
  readonly #manners: QueueManners;
  readonly #deliver: Deliver;
  readonly #known = new Set<string>();
  #open = 0;

  constructor(clock: Clock, chance: Ids, manners: QueueManners, deliver: Deliver) {
    this.#clock = clock;
    this.#chance = chance;
    this.#manners = manners;
    this.#deliver = deliver;
  }

  /** How many deliveries are outstanding or under way. */
  get open(): number {
    return this.#open;
  }

  /** The queue as the process of that number reaches it. */
  of(owner: number): Queue {
    return { enqueue: (wakeUp) => Promise.resolve(this.#enqueue(owner, wakeUp)) };
  }

  #enqueue(owner: number, wakeUp: WakeUp): void {
    const { kind, taskId, revision, at, repeat = 0 } = wakeUp;
    const name = `${this.#manners.durable ? 'all' : owner} ${kind} ${taskId} ${revision} ${at} ${repeat}`;
    if (this.#known.has(name)) return;
    if (this.#chance.random() < this.#manners.drop) return;
    this.#known.add(name);
    const copies = this.#chance.random() < this.#manners.duplicate ? 2 : 1;
    for (let copy = 1; copy <= copies; copy += 1) this.#post(owner, wakeUp, name, 1);
  }

  #post(owner: number, wakeUp: WakeUp, name: string, tries: number): void {
    const { late, durable } = this.#manners;
    const due = Math.max(0, wakeUp.at - this.#clock.now());
    const pause = tries === 1 ? due : 50 * 2 ** Math.min(tries, 5);
    this.#open += 1;
    const deliver = async (): Promise<void> => {
      if (!this.#manners.durable) this.#known.delete(name);
      const ended = await this.#deliver(wakeUp, owner);
      this.#open -= 1;
      const again = ended === 'again' || (durable && ended !== 'done');
      if (again) this.#post(owner, wakeUp, name, tries + 1);
    };
    this.#clock.after(pause + this.#chance.random() * late, () => void deliver());
  }
}

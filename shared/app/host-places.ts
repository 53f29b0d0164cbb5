import type { Millis } from '../domain/brand.ts';
import type { Clock } from '../ports/clock.ts';

/** A host that has not answered for so long is slow: nothing waits for its places. */
const SLOW: Millis = 1_000;

interface Host {
  /** Since when each post is on its way. */
  readonly since: Set<{ readonly at: Millis }>;
  readonly waiting: Set<() => void>;
}

/**
 * How many posts one process has on their way to one host. A caller with many tasks that are told
 * to a host which does not answer would otherwise hold every place that deliveries have, and keep
 * all other webhooks waiting.
 */
export class HostPlaces {
  readonly #clock: Pick<Clock, 'now' | 'after'>;
  readonly #most: number;
  readonly #hosts = new Map<string, Host>();

  constructor(clock: Pick<Clock, 'now' | 'after'>, most: number) {
    this.#clock = clock;
    this.#most = most;
  }

  /**
   * A place at the host, to be given back; undefined: it has none, and is slow. At a host that
   * answers a place is free in a moment, which is waited for.
   */
  async take(host: string): Promise<(() => void) | undefined> {
    const until = this.#clock.now() + SLOW;
    for (;;) {
      const at = this.#hosts.get(host) ?? { since: new Set(), waiting: new Set() };
      if (at.since.size < this.#most) return this.#occupied(host, at);
      const now = this.#clock.now();
      const oldest = Math.min(...[...at.since].map((post) => post.at));
      if (now >= until || now - oldest >= SLOW) return undefined;
      await this.#change(at, until - now);
    }
  }

  #occupied(host: string, at: Host): () => void {
    const post = { at: this.#clock.now() };
    this.#hosts.set(host, at);
    at.since.add(post);
    return () => {
      at.since.delete(post);
      if (at.since.size === 0 && at.waiting.size === 0) this.#hosts.delete(host);
      // One place is free: the first that waits has it.
      const [first] = at.waiting;
      first?.();
    };
  }

  /** Until a place is free, or the time is over. */
  #change({ waiting }: Host, wait: Millis): Promise<void> {
    return new Promise((resolve) => {
      const over = (): void => {
        cancel();
        waiting.delete(over);
        resolve();
      };
      const cancel = this.#clock.after(wait, over);
      waiting.add(over);
    });
  }
}

import type { Millis } from '../domain/brand.ts';
import type { Settings } from '../domain/settings.ts';
import type { Clock } from '../ports/clock.ts';
import { PostPlace, SLOW, type SlowPosts } from './post-place.ts';

interface Host {
  readonly posts: Set<PostPlace>;
  readonly waiting: Set<() => void>;
}

/**
 * How many posts one process has on their way to one host, and how many that are slow to all of
 * them. A caller with many tasks that are told to a host which does not answer, or to many such
 * hosts, would otherwise hold every place that deliveries have, and keep all other webhooks
 * waiting.
 */
export class HostPlaces {
  readonly #clock: Pick<Clock, 'now' | 'after'>;
  readonly #most: number;
  readonly #slow: SlowPosts;
  readonly #hosts = new Map<string, Host>();

  constructor(
    clock: Pick<Clock, 'now' | 'after'>,
    { pushHost, pushSlow }: Pick<Settings, 'pushHost' | 'pushSlow'>,
  ) {
    this.#clock = clock;
    this.#most = pushHost;
    this.#slow = { most: pushSlow, posts: new Set() };
  }

  /**
   * A place at the host, to be given back; undefined: it has none, and is slow. At a host that
   * answers a place is free in a moment, which is waited for. At no host is it known before whether
   * it answers, so each post begins; one that is slow goes on only if few others are.
   */
  async take(host: string): Promise<PostPlace | undefined> {
    const until = this.#clock.now() + SLOW;
    for (;;) {
      const at = this.#hosts.get(host) ?? { posts: new Set(), waiting: new Set() };
      if (at.posts.size < this.#most) return this.#occupied(host, at);
      const now = this.#clock.now();
      const oldest = Math.min(...[...at.posts].map((post) => post.at));
      if (now >= until || now - oldest >= SLOW) return undefined;
      await this.#change(at, until - now);
    }
  }

  #occupied(host: string, at: Host): PostPlace {
    const place = new PostPlace(this.#clock, this.#slow, (left) => {
      at.posts.delete(left);
      if (at.posts.size === 0 && at.waiting.size === 0) this.#hosts.delete(host);
      // One place is free: the first that waits has it.
      const [first] = at.waiting;
      first?.();
    });
    this.#hosts.set(host, at);
    at.posts.add(place);
    return place;
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

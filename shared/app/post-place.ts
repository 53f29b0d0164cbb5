import type { Millis } from '../domain/brand.ts';
import type { Clock } from '../ports/clock.ts';

/** A post that is not answered for so long is slow. */
export const SLOW: Millis = 1_000;

/** The slow posts of a process, of which there are so many at most. */
export interface SlowPosts {
  readonly most: number;
  readonly posts: Set<PostPlace>;
}

/** One post that is on its way. */
export class PostPlace {
  readonly at: Millis;
  readonly #slow: SlowPosts;
  readonly #givingUp = new AbortController();
  readonly #cancel: () => void;
  readonly #left: (place: PostPlace) => void;

  constructor(
    clock: Pick<Clock, 'now' | 'after'>,
    slow: SlowPosts,
    left: (place: PostPlace) => void,
  ) {
    this.at = clock.now();
    this.#slow = slow;
    this.#left = left;
    this.#cancel = clock.after(SLOW, () => {
      if (slow.posts.size < slow.most) slow.posts.add(this);
      else this.#givingUp.abort();
    });
  }

  /** Aborted when the post is slow, and too many others are. */
  get givenUp(): AbortSignal {
    return this.#givingUp.signal;
  }

  /** Gives the place back. */
  leave(): void {
    this.#cancel();
    this.#slow.posts.delete(this);
    this.#left(this);
  }
}

export interface BodyBudgetOptions {
  /** Bytes of request bodies that one process holds at a time, those that wait among them. */
  readonly held: number;
  /** Bytes of those that it works on at a time. */
  readonly worked: number;
  /**
   * Is there memory for one more large body? `alone`: no other body is held. Absent: there is.
   */
  readonly room?: (alone: boolean) => boolean;
}

/** What one process takes in at a time of request bodies. */
export interface BodyBudget {
  /** Opens an account for one request. */
  open(): BodyAccount;
  /** Bytes that are held now. */
  readonly held: number;
}

export interface BodyAccount {
  /** False: the process holds as much as it may, and nothing was taken. */
  take(bytes: number): boolean;
  /**
   * Waits for the turn of what was taken. `full`: then there is no memory for it. `over`: it was
   * given back meanwhile.
   */
  turn(): Promise<Turn>;
  /** Gives everything back. May be called more than once. */
  release(): void;
}

/** Bodies up to this size are worked on at once. */
const SMALL = 64 * 1024;

export type Turn = 'work' | 'full' | 'over';

interface Waiting {
  readonly bytes: number;
  readonly go: (turn: Turn) => void;
}

/**
 * A process that takes every body it is offered dies of them, and with it every stream that it
 * serves. Bytes count as they arrive, so that a client which announces much and sends nothing holds
 * nothing. A body that lies there costs its bytes; one that is worked on (parsed, sealed, stored)
 * costs several times as much, so those take turns, in the order in which they were read.
 */
export function createBodyBudget(options: BodyBudgetOptions): BodyBudget {
  const { held: limit, room = () => true, worked: most } = options;
  let held = 0;
  let worked = 0;
  const waiting = new Set<Waiting>();
  const working = new Set<Waiting>();

  const fits = (bytes: number): boolean => worked === 0 || worked + bytes <= most;
  const admit = (): void => {
    for (const next of waiting) {
      if (!fits(next.bytes)) return;
      waiting.delete(next);
      if (room(worked === 0)) {
        worked += next.bytes;
        working.add(next);
      }
      next.go(working.has(next) ? 'work' : 'full');
    }
  };

  return {
    get held() {
      return held;
    },
    open() {
      let mine = 0;
      let wait: Waiting | undefined;
      return {
        take(bytes) {
          if (held + bytes > limit) return false;
          const becomesLarge = mine <= SMALL && mine + bytes > SMALL;
          if (becomesLarge && !room(held === mine)) return false;
          held += bytes;
          mine += bytes;
          return true;
        },
        turn() {
          const bytes = mine;
          if (bytes <= SMALL) return Promise.resolve('work' as const);
          const { promise, resolve: go } = Promise.withResolvers<Turn>();
          wait = { bytes, go };
          waiting.add(wait);
          admit();
          return promise;
        },
        release() {
          held -= mine;
          mine = 0;
          if (wait === undefined) return;
          if (waiting.delete(wait)) wait.go('over');
          if (working.delete(wait)) worked -= wait.bytes;
          wait = undefined;
          admit();
        },
      };
    },
  };
}

/** How many bytes of request bodies one process holds at a time. */
export interface BodyBudget {
  /** Opens an account for one request. */
  open(): BodyAccount;
  /** Bytes that are held now. */
  readonly held: number;
}

export interface BodyAccount {
  /** False: the process holds as much as it may, and nothing was taken. */
  take(bytes: number): boolean;
  /** Gives everything back. May be called more than once. */
  release(): void;
}

/**
 * A process that takes every body it is offered dies of them, and with it every stream that it
 * serves. Bytes count as they arrive, so that a client which announces much and sends nothing holds
 * nothing.
 */
export function createBodyBudget(limit: number): BodyBudget {
  let held = 0;
  return {
    get held() {
      return held;
    },
    open() {
      let mine = 0;
      return {
        take(bytes) {
          if (held + bytes > limit) return false;
          held += bytes;
          mine += bytes;
          return true;
        },
        release() {
          held -= mine;
          mine = 0;
        },
      };
    },
  };
}

import type { Millis } from './brand.ts';

/**
 * What a run in `waiting_for_dependency` waits for, as its row holds it: when to look, and at what. Everything else is in the
 * sealed checkpoint of its pause (`runs/{taskId}/pauses/{generation}`).
 */
export interface Dependency {
  /** Name of the remote, as the agent declares it. */
  readonly remote: string;
  /** The send that started it: its message id. */
  readonly sendId: string;
  /** The remote task, sealed with the run's key; null while the outcome of the send is not known. */
  readonly operation: Uint8Array | null;
  readonly nextPollAt: Millis;
  readonly deadlineAt: Millis;
  /** Looks so far, and how many of the newest failed one after the other. */
  readonly polls: number;
  readonly failures: number;
}

/** A remote task to be cancelled. The row forgets it in the commit before CancelTask leaves, so it leaves once (G17). */
export interface Orphan {
  readonly remote: string;
  readonly sendId: string;
  readonly operation: Uint8Array;
  /** Not before this time. */
  readonly at: Millis;
  /** Tries that provably did not leave. */
  readonly attempts: number;
}

/** The remote task that is left alone when a run stops waiting for it; nothing where none is known. */
export function orphanOf(dependency: Dependency, now: Millis): { readonly orphan?: Orphan } {
  const { remote, sendId, operation } = dependency;
  return operation === null ? {} : { orphan: { remote, sendId, operation, at: now, attempts: 0 } };
}

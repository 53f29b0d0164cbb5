import type { Millis } from './brand.ts';

/**
 * What a run in `waiting_for_dependency` waits for, as its row holds it: when to poll, and what.
 * Everything else is in the sealed checkpoint of its pause (`runs/{taskId}/pauses/{generation}`).
 */
export interface Dependency {
  /** Name of the remote, as the agent declares it. */
  readonly remote: string;
  /** The send that started it: its message id. */
  readonly sendId: string;
  /**
   * The remote task, sealed with the run's key; null while the outcome of the send is not known.
   */
  readonly operation: Uint8Array | null;
  readonly nextPollAt: Millis;
  readonly deadlineAt: Millis;
  /** Polls so far, and how many of the newest failed in a row. */
  readonly polls: number;
  readonly failures: number;
  /** The newest poll. */
  readonly lookedAt?: Millis;
}

/**
 * A remote task to be cancelled. The row forgets it in the commit before CancelTask leaves, so it
 * leaves once (G17).
 */
export interface Orphan {
  readonly remote: string;
  readonly sendId: string;
  /** Null: the outcome of the send is not known, and its task is looked for first. */
  readonly operation: Uint8Array | null;
  /** Not before this time. */
  readonly at: Millis;
  /** Tries that provably did not leave, or looks that found no task. */
  readonly attempts: number;
}

/** A message that is on its way to a remote while its run works. */
export type Sending = Pick<Orphan, 'remote' | 'sendId'>;

type WithOrphans = { readonly orphans?: readonly Orphan[] };

/**
 * Adds the remote task that a run stops waiting for to those that are to be cancelled; one that is
 * noted already is never replaced by an unknown one.
 */
export function withOrphan(
  { orphans = [] }: WithOrphans,
  { remote, sendId, operation }: Pick<Dependency, 'remote' | 'sendId' | 'operation'>,
  now: Millis,
): WithOrphans {
  const noted = orphans.some((orphan) => orphan.sendId === sendId);
  if (noted && operation === null) return { orphans };
  const left = { remote, sendId, operation, at: now, attempts: 0 };
  return withOrphans([...orphans.filter((orphan) => orphan.sendId !== sendId), left]);
}

/** Without orphans the row has no such field. */
export function withOrphans(orphans: readonly Orphan[]): WithOrphans {
  return orphans.length === 0 ? {} : { orphans };
}

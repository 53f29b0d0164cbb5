import type { Run } from '../../domain/run.ts';
import type { App } from '../app.ts';
import type { ViewDoc } from '../records/documents.ts';
import type { Subkeys } from '../subkeys.ts';

/**
 * An unwrapped key of a run (the run key, or its work key), and whose content it seals: that is
 * bound to each envelope.
 */
export interface SealingKey {
  readonly taskId: string;
  readonly contextId: string;
  /** Of the caller whose task it is. */
  readonly scope: string;
  readonly agent: string;
  readonly keys: Subkeys;
  /** What revisions up to this one held was sealed with a key that no longer exists. */
  readonly scrubbedRevision: number;
  /** This is the work key. */
  readonly work?: true;
}

type Whose = Pick<SealingKey, 'taskId' | 'contextId' | 'scope' | 'agent'>;

export const whoseOf = ({ taskId, contextId, scope, agent }: Whose): Whose => ({
  taskId,
  contextId,
  scope,
  agent,
});

/** Throws Unreadable, KeyMissing, Unavailable. */
export async function runKeyOf(app: App, run: Run): Promise<SealingKey> {
  const { scrubbedRevision, taskId, wrappedKey } = run;
  return { ...whoseOf(run), scrubbedRevision, keys: await app.keys.unwrap(taskId, wrappedKey) };
}

/** Throws Unreadable, KeyMissing, Unavailable. */
export async function viewKeyOf(app: App, view: ViewDoc): Promise<SealingKey> {
  const { scrubbedRevision, taskId, wrappedKey } = view;
  return { ...whoseOf(view), scrubbedRevision, keys: await app.keys.unwrap(taskId, wrappedKey) };
}

/**
 * A fresh run key, for what a run holds after everything up to now is scrubbed; `wrapped` goes into
 * its row.
 */
export async function newRunKey(
  app: App,
  run: Run,
): Promise<{ readonly runKey: SealingKey; readonly wrapped: Uint8Array }> {
  const { keys, wrapped } = await app.keys.create(run.taskId);
  return { wrapped, runKey: { ...whoseOf(run), keys, scrubbedRevision: run.revision } };
}

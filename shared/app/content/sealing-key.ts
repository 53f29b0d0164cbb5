import type { KeyObject } from 'node:crypto';
import type { Run } from '../../domain/run.ts';
import type { App } from '../app.ts';
import type { ViewDoc } from '../records/documents.ts';

/** An unwrapped key of a run, and whose content it seals: the run key, or its work key. */
export interface SealingKey {
  readonly taskId: string;
  readonly contextId: string;
  readonly key: KeyObject;
  /** What revisions up to this one held was sealed with a key that no longer exists. */
  readonly scrubbedRevision: number;
  /** This is the work key. */
  readonly work?: true;
}

/** Throws Unreadable, KeyMissing, Unavailable. */
export async function runKeyOf(app: App, run: Run): Promise<SealingKey> {
  const { taskId, contextId, scrubbedRevision } = run;
  return {
    taskId,
    contextId,
    scrubbedRevision,
    key: await app.keys.unwrap(taskId, run.wrappedKey),
  };
}

/** Throws Unreadable, KeyMissing, Unavailable. */
export async function viewKeyOf(app: App, view: ViewDoc): Promise<SealingKey> {
  const { taskId, contextId, scrubbedRevision } = view;
  return {
    taskId,
    contextId,
    scrubbedRevision,
    key: await app.keys.unwrap(taskId, view.wrappedKey),
  };
}

/** A fresh run key, for what a run holds after everything up to now is scrubbed; `wrapped` goes into its row. */
export async function newRunKey(
  app: App,
  run: Run,
): Promise<{ readonly runKey: SealingKey; readonly wrapped: Uint8Array }> {
  const { taskId, contextId, revision } = run;
  const { key, wrapped } = await app.keys.create(taskId);
  return { wrapped, runKey: { taskId, contextId, key, scrubbedRevision: revision } };
}

import type { KeyObject } from 'node:crypto';
import type { Run } from '../../domain/run.ts';
import type { App } from '../app.ts';
import type { ViewDoc } from '../records/documents.ts';

/** The run whose content is read or written, with its data key opened. */
export interface SealingKey {
  readonly taskId: string;
  readonly contextId: string;
  readonly key: KeyObject;
  /** What revisions up to this one held was sealed with a key that no longer exists. */
  readonly scrubbedRevision: number;
  /** What the run works with and nobody outside sees, under a key of its own. */
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

/** A place with a fresh key, for what a run holds after everything up to now is scrubbed; and the key as its row keeps it. */
export async function newRunKey(
  app: App,
  run: Run,
): Promise<{ readonly runKey: SealingKey; readonly wrapped: Uint8Array }> {
  const { taskId, contextId, revision } = run;
  const { key, wrapped } = await app.keys.create(taskId);
  return { wrapped, runKey: { taskId, contextId, key, scrubbedRevision: revision } };
}

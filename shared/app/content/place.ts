import type { KeyObject } from 'node:crypto';
import type { Run } from '../../domain/run.ts';
import type { App } from '../app.ts';
import type { ViewDoc } from '../records/documents.ts';

/** The run whose content is read or written, with its data key opened. */
export interface Place {
  readonly taskId: string;
  readonly contextId: string;
  readonly key: KeyObject;
  /** What revisions up to this one held was sealed with a key that no longer exists. */
  readonly scrubbedRevision: number;
  /** What the run works with and nobody outside sees, under a key of its own. */
  readonly payload?: true;
}

/** Throws Unreadable, Unavailable. */
export async function placeOfRun(app: App, run: Run): Promise<Place> {
  const { taskId, contextId, scrubbedRevision } = run;
  return { taskId, contextId, scrubbedRevision, key: await app.keys.open(run.wrappedKey) };
}

/** Throws Unreadable, Unavailable. */
export async function placeOfView(app: App, view: ViewDoc): Promise<Place> {
  const { taskId, contextId, scrubbedRevision } = view;
  return { taskId, contextId, scrubbedRevision, key: await app.keys.open(view.wrappedKey) };
}

/** A place with a fresh key, for what a run holds after everything up to now is scrubbed; and the key as its row keeps it. */
export async function newPlace(
  app: App,
  run: Run,
): Promise<{ readonly place: Place; readonly wrapped: Uint8Array }> {
  const { wrapped, plain } = await app.sealer.newKey();
  const { taskId, contextId, revision } = run;
  const key = app.keys.hold(wrapped, plain);
  return { wrapped, place: { taskId, contextId, key, scrubbedRevision: revision } };
}

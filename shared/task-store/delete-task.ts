import { UnsupportedOperationError } from '@a2a-js/sdk/errors';
import type { Blobs } from '../ports/blobs.ts';
import { forgetActive } from './active-task.ts';
import { placeOf, pushFolder, type Scope, type TaskPlace } from './layout.ts';
import { namesUnder } from './names-under.ts';
import { isTerminal } from './task-json.ts';
import { contentOf, readTask } from './task-object.ts';

/**
 * In an order in which a crash leaves what a second call finishes: what belongs to the task, the
 * task, and the pointer that leads to both last.
 */
export async function deleteTask(
  blobs: Blobs,
  scope: Scope,
  taskId: string,
  contextId: string | undefined,
): Promise<void> {
  const pushes = pushFolder(scope, taskId);
  if (pushes === undefined) return;
  const place = contextId === undefined ? undefined : placeOf(scope, taskId, contextId);
  if (place !== undefined) await requireEnded(blobs, place);
  await deleteAll(blobs, pushes);
  if (place === undefined) return;
  await forgetActive(blobs, place);
  await deleteAll(blobs, place.folder, place.task);
  await blobs.delete(place.task);
  await blobs.delete(place.pointer);
}

async function requireEnded(blobs: Blobs, place: TaskPlace): Promise<void> {
  const stored = await readTask(blobs, place.task);
  if (stored === undefined || isTerminal(contentOf(stored, place))) return;
  throw new UnsupportedOperationError('The task has not ended. Cancel it before it is deleted.');
}

async function deleteAll(blobs: Blobs, prefix: string, except?: string): Promise<void> {
  for await (const names of namesUnder(blobs, prefix)) {
    for (const name of names) if (name !== except) await blobs.delete(name);
  }
}

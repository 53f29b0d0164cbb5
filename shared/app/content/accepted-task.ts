import type { StoredPart } from '../../domain/message.ts';
import { applyItems, emptySnapshot, type Task } from '../../domain/task.ts';
import { Unreadable } from '../../ports/faults.ts';
import type { App } from '../app.ts';
import { revisionDoc, type ViewDoc } from '../records/documents.ts';
import { loadItem } from './content.ts';
import { unsealRevision } from './publication.ts';
import type { SealingKey } from './sealing-key.ts';

/**
 * A task as it was accepted, with its message: what the first event of its journal says. Throws
 * Unreadable, Unavailable.
 */
export async function acceptedTask(app: App, runKey: SealingKey, view: ViewDoc): Promise<Task> {
  const revision = await app.store.get(revisionDoc(view.taskId, 1));
  if (revision === undefined) throw new Unreadable(`revision 1 of ${view.taskId}`);
  const items = await unsealRevision(app, runKey, revision);
  const submitted = items.findIndex(({ kind }) => kind === 'status');
  const before = emptySnapshot<StoredPart>(revision.state, revision.at);
  const { history, status } = applyItems(before, items.slice(0, submitted + 1));
  const loaded = await Promise.all(
    history.map((message) => loadItem(app, runKey, { kind: 'message', message })),
  );
  return {
    taskId: view.taskId,
    contextId: view.contextId,
    status: { state: status.state, at: status.at },
    history: loaded.flatMap((item) => (item.kind === 'message' ? [item.message] : [])),
    artifacts: [],
  };
}

import type { StoredEvent } from '../../domain/item.ts';
import type { App } from '../app.ts';
import { type EntryDoc, entryDoc } from '../records/documents.ts';
import { boundEntry } from './bindings.ts';
import { itemsFromJson, unsealFields } from './content.ts';
import type { SealingKey } from './sealing-key.ts';

/**
 * The events of a journal entry; of one that was scrubbed since, its changes of state. Throws
 * Unreadable, Unavailable.
 */
export async function openEntry(
  app: App,
  runKey: SealingKey,
  entry: EntryDoc,
): Promise<readonly StoredEvent[]> {
  if (entry.epoch < runKey.scrubbedRevision) {
    return entry.states.map((change) => ({ kind: 'status', ...change }));
  }
  const { path } = entryDoc(runKey.taskId, entry.toSeq);
  const content = await unsealFields(app, runKey, path, entry, boundEntry(entry));
  return itemsFromJson<StoredEvent>(content['events'], path);
}

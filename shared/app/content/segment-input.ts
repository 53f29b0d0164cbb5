import type { Message } from '../../domain/message.ts';
import { Unreadable } from '../../ports/faults.ts';
import type { App } from '../app.ts';
import {
  itemsFromJson,
  itemToJson,
  loadItem,
  openFrom,
  pack,
  sealFor,
  storeItems,
} from './content.ts';
import { type InputDoc, inputDoc, SCHEMA_VERSION } from '../records/documents.ts';
import type { Place } from './place.ts';

/**
 * The message as it came, for a run whose revisions hold it redacted. Sealed, read by nobody but the segment that works on it,
 * and deleted by the transaction that ends the segment.
 */
export async function prepareInput(app: App, place: Place, message: Message): Promise<InputDoc> {
  const [item] = await storeItems(app, place, [{ kind: 'message', message }]);
  const packed = await pack(app, place, { items: item === undefined ? [] : [itemToJson(item)] });
  return { v: SCHEMA_VERSION, ...sealFor(app, place, inputDoc(place.taskId).path, packed) };
}

/** Throws Unreadable. */
export async function openInput(app: App, place: Place): Promise<Message> {
  const doc = inputDoc(place.taskId);
  const stored = await app.store.get(doc);
  if (stored === undefined) throw new Unreadable(doc.path);
  const content = await openFrom(app, place, doc.path, stored);
  const [item] = itemsFromJson(content['items'], doc.path);
  const loaded = item && (await loadItem(app, place, item));
  if (loaded?.kind !== 'message') throw new Unreadable(doc.path);
  return loaded.message;
}

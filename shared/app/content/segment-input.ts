import { type Delivered, besideSchema } from '../../domain/caller.ts';
import type { JsonObject } from '../../domain/json.ts';
import { Unreadable } from '../../ports/faults.ts';
import type { App } from '../app.ts';
import {
  itemsFromJson,
  itemToJson,
  loadItem,
  unsealFields,
  pack,
  sealFields,
  storeItems,
} from './content.ts';
import { type InputDoc, inputDoc, SCHEMA_VERSION } from '../records/documents.ts';
import type { SealingKey } from './sealing-key.ts';

/**
 * The message as it came, for a run whose revisions hold it redacted, and what came beside it,
 * which no revision holds. Sealed, read only by the segment that works on it, and deleted by the
 * transaction that ends the segment.
 */
export async function prepareInput(
  app: App,
  runKey: SealingKey,
  { message, beside }: Delivered,
): Promise<InputDoc> {
  const [item] = await storeItems(app, runKey, [{ kind: 'message', message }]);
  const packed = await pack(app, runKey, {
    items: item === undefined ? [] : [itemToJson(item)],
    // JSON already, as its schema says.
    ...(beside !== undefined && { beside: beside as JsonObject }),
  });
  return {
    v: SCHEMA_VERSION,
    ...sealFields(app, runKey, inputDoc(runKey.taskId).path, packed, []),
  };
}

/** Throws Unreadable. */
export async function unsealInput(app: App, runKey: SealingKey): Promise<Delivered> {
  const doc = inputDoc(runKey.taskId);
  const stored = await app.store.get(doc);
  if (stored === undefined) throw new Unreadable(doc.path);
  const content = await unsealFields(app, runKey, doc.path, stored, []);
  const [item] = itemsFromJson(content['items'], doc.path);
  const loaded = item && (await loadItem(app, runKey, item));
  if (loaded?.kind !== 'message') throw new Unreadable(doc.path);
  const { beside } = content;
  if (beside === undefined) return { message: loaded.message };
  const parsed = besideSchema.safeParse(beside);
  if (!parsed.success) throw new Unreadable(doc.path, parsed.error);
  return { message: loaded.message, beside: parsed.data };
}

import { type ArtifactItem, isDraft, type Item } from '../../domain/item.ts';
import type { StoredPart } from '../../domain/message.ts';
import { ownMetadata, type StoredSnapshot, type Task } from '../../domain/task.ts';
import type { App } from '../app.ts';
import { storeItems } from './content.ts';
import { redactItems } from './redact-items.ts';
import type { SealingKey } from './sealing-key.ts';

/**
 * A whole task as a snapshot that is sealed with this key: what is too large for a row lies in
 * objects of the key. `redacted`: as that level lets it be kept.
 */
export async function snapshotOf(
  app: App,
  runKey: SealingKey,
  task: Task,
  redacted: boolean,
): Promise<StoredSnapshot> {
  const said = task.status.message;
  const { metadata, status } = task;
  const theirs = metadata && ownMetadata(metadata, false);
  const items: Item[] = [
    { kind: 'status', state: status.state, at: status.at, ...(theirs && { metadata: theirs }) },
    ...task.history.map((message): Item => ({ kind: 'message', message })),
    ...task.artifacts
      .map((artifact): Item => ({ kind: 'artifact', artifact, append: false, lastChunk: true }))
      .filter((item) => !redacted || !isDraft(item)),
    ...(said === undefined ? [] : [{ kind: 'message', message: said } as const]),
  ];
  const kept = redacted ? await redactItems(app.redactor, items) : items;
  const stored = await storeItems(app, runKey, kept);
  const messages = stored.flatMap((item) => (item.kind === 'message' ? [item.message] : []));
  const last = said === undefined ? undefined : messages.pop();
  const [first] = stored;
  const left = first?.kind === 'status' ? first.metadata : undefined;
  return {
    status: { state: status.state, at: status.at, ...(last && { message: last }) },
    history: messages,
    artifacts: stored.filter((item): item is ArtifactItem<StoredPart> => item.kind === 'artifact'),
    ...(metadata && {
      metadata: redacted ? { ...left, ...ownMetadata(metadata, true) } : metadata,
    }),
  };
}

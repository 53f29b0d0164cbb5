import type { StoredEvent } from '../../domain/item.ts';
import type { JsonObject } from '../../domain/json.ts';
import { legacyResult } from '../../domain/legacy-json.ts';
import { eventToProtoJson, taskToProtoJson } from '../../domain/proto-json.ts';
import { isTerminal } from '../../domain/status.ts';
import type { WireVersion } from '../../domain/webhook.ts';
import type { App } from '../app.ts';
import { acceptedTask } from '../content/accepted-task.ts';
import { loadItem } from '../content/content.ts';
import type { SealingKey } from '../content/sealing-key.ts';
import type { ViewDoc } from '../records/documents.ts';

/**
 * An event as a webhook is told it: a StreamResponse (A2A section 4.3.3), as a stream would carry
 * it, so the first is the task as it was accepted. A webhook of v0.3 gets the bare task or event.
 * Throws Unreadable, Unavailable.
 */
export async function bodyOf(
  app: App,
  runKey: SealingKey,
  view: ViewDoc,
  { stored, version }: { readonly stored: StoredEvent; readonly version: WireVersion },
): Promise<JsonObject> {
  const response = await responseOf(app, runKey, view, stored);
  return version === '1.0' ? response : legacyResult(response, isLast(stored));
}

async function responseOf(
  app: App,
  runKey: SealingKey,
  view: ViewDoc,
  stored: StoredEvent,
): Promise<JsonObject> {
  if (stored.seq === 1) return { task: taskToProtoJson(await acceptedTask(app, runKey, view)) };
  const event = await loadItem(app, runKey, stored);
  if (event.kind === 'message') throw new TypeError('a message of the client is no event');
  return eventToProtoJson(
    { ...event, seq: stored.seq },
    { taskId: view.taskId, contextId: view.contextId },
  );
}

const isLast = (stored: StoredEvent): boolean =>
  stored.kind === 'status' && (isTerminal(stored.state) || stored.state === 'INPUT_REQUIRED');

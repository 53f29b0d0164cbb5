import { timeKeysOf, TRACEABILITY, withTrace } from '../../domain/extensions.ts';
import type { StoredEvent } from '../../domain/item.ts';
import { isJsonObject, type JsonObject } from '../../domain/json.ts';
import { legacyResult } from '../../domain/legacy-json.ts';
import { eventToProtoJson, taskToProtoJson } from '../../domain/proto-json.ts';
import { isSettled, isTerminal } from '../../domain/status.ts';
import type { WebhookTarget, WireVersion } from '../../domain/webhook.ts';
import type { App } from '../app.ts';
import { acceptedTask } from '../content/accepted-task.ts';
import { loadItem } from '../content/content.ts';
import type { SealingKey } from '../content/sealing-key.ts';
import { runDoc, type ViewDoc } from '../records/documents.ts';

/** What one webhook is told, and how. */
interface Told extends Pick<WebhookTarget, 'extensions'> {
  readonly stored: StoredEvent;
  readonly version: WireVersion;
}

/**
 * An event as a webhook is told it: a StreamResponse (A2A section 4.3.3), as a stream would carry
 * it, so the first is the task as it was accepted. A webhook of v0.3 gets the bare task or event.
 * Throws Unreadable, Unavailable.
 */
export async function bodyOf(
  app: App,
  runKey: SealingKey,
  view: ViewDoc,
  told: Told,
): Promise<JsonObject> {
  const { stored, version } = told;
  const response = await responseOf(app, runKey, view, told);
  return version === '1.0' ? response : legacyResult(response, isLast(stored));
}

async function responseOf(
  app: App,
  runKey: SealingKey,
  view: ViewDoc,
  { extensions = [], stored }: Told,
): Promise<JsonObject> {
  const times = timeKeysOf(extensions);
  const traced = extensions.includes(TRACEABILITY.uri);
  if (stored.seq === 1)
    return { task: taskToProtoJson(await acceptedTask(app, runKey, view), times) };
  const event = await loadItem(app, runKey, stored);
  if (event.kind === 'message') throw new TypeError('a message of the client is no event');
  const { contextId, taskId } = view;
  const response = eventToProtoJson({ ...event, seq: stored.seq }, { taskId, contextId }, times);
  const { statusUpdate } = response;
  const told = traced && event.kind === 'status' && isSettled(event.state);
  if (!told || !isJsonObject(statusUpdate)) return response;
  const run = await app.store.get(runDoc(taskId));
  if (run === undefined || run.status === 'purging') return response;
  const { taskTrace } = await import('../content/task-trace.ts');
  return { statusUpdate: withTrace(statusUpdate, await taskTrace(app, run, event)) };
}

const isLast = (stored: StoredEvent): boolean =>
  stored.kind === 'status' && (isTerminal(stored.state) || stored.state === 'INPUT_REQUIRED');

import type { CardFields } from '../agent/card-fields.ts';
import type { Accepted, Replied, TaskService } from '../app/service.ts';
import { timeKeysOf } from '../domain/extensions.ts';
import type { JsonObject } from '../domain/json.ts';
import { messageToProtoJson, taskToProtoJson } from '../domain/proto-json.ts';
import { isDrafted, withGeneration } from './draft.ts';
import { extendedCard } from './extended-card.ts';
import { activateExtensions } from './extensions.ts';
import { fail, taken } from './failure.ts';
import { filterFromWire, sendFromWire } from './from-wire.ts';
import { checkInputModes } from './input-modes.ts';
import { configurePush } from './push-configs.ts';
import { readTask, shownTask, whileWanted } from './read-task.ts';
import type { RequestContext } from './request-context.ts';
import type { Call, RequestOf } from './schema.ts';
import { toldOf, tracedTask } from './traced.ts';
import { afterSending, lastEventId, type Streamed, subscription } from './streams.ts';

export interface OperationsOptions {
  readonly service: TaskService;
  readonly card: CardFields;
  /** Refuse parts of a media type that the card does not name. */
  readonly checkInputModes: boolean;
  /** Aborts when the process is about to go away. */
  readonly closing?: AbortSignal;
}

/** What an operation comes to, in the words of A2A 1.0. */
export type Outcome =
  | { readonly kind: 'result'; readonly result: JsonObject }
  /** The agent answered a streaming send with a message, the only event that there is. */
  | { readonly kind: 'message'; readonly response: JsonObject }
  | { readonly kind: 'stream'; readonly streamed: Streamed };

/**
 * Carries out an operation of A2A.
 *
 * @throws what refuses it; see failure.ts.
 */
export async function perform(
  asked: RequestContext,
  call: Call,
  options: OperationsOptions,
): Promise<Outcome> {
  const { card, service } = options;
  asked.extensions = activateExtensions(asked, card);
  switch (call.operation) {
    case 'SendMessage':
      return result(await sendMessage(asked, call.request, options));
    case 'SendStreamingMessage':
      return sendStreamingMessage(asked, call.request, options);
    case 'SubscribeToTask': {
      const afterSeq = lastEventId(asked.header('last-event-id'));
      const streamed = { taskId: call.request.id, request: subscription(afterSeq) };
      return { kind: 'stream', streamed };
    }
    case 'GetTask':
      return result(await readTask(asked, call.request, options));
    case 'CancelTask':
      return result(await cancelTask(asked, call.request.id, options));
    case 'ListTasks':
      return result(await listTasks(asked, call.request, service));
    case 'GetExtendedAgentCard':
      return result(extendedCard(asked, card));
    case 'CreateTaskPushNotificationConfig':
    case 'GetTaskPushNotificationConfig':
    case 'ListTaskPushNotificationConfigs':
    case 'DeleteTaskPushNotificationConfig':
      return result(await configurePush(asked, call, service));
  }
}

async function sendMessage(
  asked: RequestContext,
  request: RequestOf<'SendMessage'>,
  options: OperationsOptions,
): Promise<JsonObject> {
  const { configuration = {} } = request;
  const blocking = configuration.returnImmediately !== true && !asked.notification;
  const sent = await send(asked, request, blocking, options);
  if (sent.kind === 'replied') return replyOf(asked, sent);
  const { revision, taskId } = sent;
  const { historyLength } = configuration;
  if (!blocking) return { task: await readTask(asked, { id: taskId, historyLength }, options) };
  // It is stored, and this request may now wait for long. An answer at once says it all again, and
  // its turn lasts until it is out.
  asked.body.release();
  const { closing, service } = options;
  const polled = await whileWanted(asked, closing, (signal) =>
    service.settled(asked.principal, taskId, { afterRevision: revision, historyLength }, signal),
  );
  return { task: await shownTask(asked, service, taken(polled)) };
}

async function sendStreamingMessage(
  asked: RequestContext,
  request: RequestOf<'SendStreamingMessage'>,
  options: OperationsOptions,
): Promise<Outcome> {
  const sent = await send(asked, request, false, options);
  if (sent.kind === 'replied') {
    return { kind: 'message', response: replyOf(asked, sent) };
  }
  asked.body.release();
  const { taskId } = sent;
  const historyLength = request.configuration?.historyLength;
  return { kind: 'stream', streamed: { taskId, request: afterSending(sent), historyLength } };
}

function replyOf({ extensions }: RequestContext, replied: Replied): JsonObject {
  return { message: messageToProtoJson(replied.message, replied, timeKeysOf(extensions)) };
}

async function send(
  asked: RequestContext,
  given: RequestOf<'SendMessage'>,
  blocking: boolean,
  options: OperationsOptions,
): Promise<Accepted | Replied> {
  const { service } = options;
  const { extensions, identity, version } = asked;
  const told = toldOf(asked, service);
  const request = sendFromWire(given, { extensions, identity, told, version });
  if (options.checkInputModes) checkInputModes(options.card, request.message.parts);
  const { principal, trace } = asked;
  const traced = trace === undefined ? request : { ...request, trace };
  return taken(await options.service.send(principal, { ...traced, blocking }));
}

async function cancelTask(
  asked: RequestContext,
  id: string,
  options: OperationsOptions,
): Promise<JsonObject> {
  const { principal, trace, version } = asked;
  const { service } = options;
  // For v0.3 a canceled task can't be canceled (its section 8.2); 1.0 lets a client repeat itself
  // (section 3.3.1).
  if (version === '0.3') {
    const { status } = taken(await service.get(principal, id, 0));
    if (status.state === 'CANCELED') {
      throw fail('TASK_NOT_CANCELABLE', "the task is CANCELED and can't be canceled");
    }
  }
  const canceled = taken(await service.cancel(principal, id, trace));
  if (isDrafted(asked)) return readTask(asked, { id }, options);
  const json = taskToProtoJson(canceled, timeKeysOf(asked.extensions));
  return tracedTask(asked, service, canceled, json);
}

async function listTasks(
  asked: RequestContext,
  request: RequestOf<'ListTasks'>,
  service: TaskService,
): Promise<JsonObject> {
  const filter = filterFromWire(request);
  const { nextPageToken, pageSize, seqs, tasks, totalSize } = taken(
    await service.list(asked.principal, filter),
  );
  // Asked for, artifacts are there also where there are none (section 3.1.4).
  const empty = filter.includeArtifacts ? { artifacts: [] } : {};
  const numbered = isDrafted(asked);
  const times = timeKeysOf(asked.extensions);
  const page = tasks.map((task, at) => {
    const json = { ...empty, ...taskToProtoJson(task, times) };
    return numbered ? withGeneration(json, seqs[at] ?? 0) : json;
  });
  return { tasks: page, nextPageToken, pageSize, totalSize };
}

const result = (value: JsonObject): Outcome => ({ kind: 'result', result: value });

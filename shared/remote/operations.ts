import { type Message, type Part as WirePart, Role, type Task } from '@a2a-js/sdk';
import type { Json, JsonObject } from '../domain/json.ts';
import type { Part } from '../domain/message.ts';
import type { RemoteTaskRef } from '../domain/remote.ts';
import type { TaskState } from '../domain/status.ts';
import type { Outgoing } from '../ports/remote-agents.ts';
import type { Use } from './calls.ts';
import { isTaskId, messageFromResponse, stateOf, taskFromResponse } from './from-response.ts';
import type { SendResponse, TaskResponse } from './outcomes.ts';

// The four requests in the SDK's words. One that throws on the way back answered with nonsense.

/** Enough to see that there is one task, or more than one. */
const PAGE = 100;

export function sendMessage({ messageId, contextId, parts, push }: Outgoing): Use<SendResponse> {
  return async (client, { capabilities }) => {
    const pushed = push !== undefined && capabilities?.pushNotifications === true;
    const taskPushNotificationConfig = pushed
      ? { tenant: '', id: '', taskId: '', authentication: undefined, ...push }
      : undefined;
    const answer = await client.sendMessage({
      tenant: '',
      message: {
        messageId,
        contextId,
        taskId: '',
        role: Role.ROLE_USER,
        parts: parts.map(partToWire),
        metadata: undefined,
        extensions: [],
        referenceTaskIds: [],
      },
      configuration: {
        acceptedOutputModes: [],
        taskPushNotificationConfig,
        historyLength: 0,
        returnImmediately: true,
      },
      metadata: undefined,
    });
    if (isMessage(answer)) {
      if (answer.messageId === '') throw new TypeError('no message');
      return { kind: 'message', message: messageFromResponse(answer), contextId: answer.contextId };
    }
    return { kind: 'task', task: taskFromResponse(answer) };
  };
}

export function getTask({ taskId }: RemoteTaskRef): Use<TaskResponse> {
  return async (client) =>
    taskFromResponse(await client.getTask({ tenant: '', id: known(taskId), historyLength: 0 }));
}

export function cancelTask({
  taskId,
}: RemoteTaskRef): Use<{ readonly taskId: string; readonly state: TaskState | 'UNKNOWN' }> {
  return async (client) => {
    const task = await client.cancelTask({ tenant: '', id: known(taskId), metadata: undefined });
    return { taskId: task.id, state: stateOf(task) };
  };
}

/**
 * Undefined: the remote can't list (v0.3), or does not look by context, so that its list says
 * nothing about ours.
 */
export function listTasks(contextId: string): Use<readonly RemoteTaskRef[] | undefined> {
  return async (client) => {
    if (client.protocolVersion !== '1.0') return undefined;
    const { tasks } = await client.listTasks({
      tenant: '',
      contextId,
      status: 0,
      pageSize: PAGE,
      pageToken: '',
      historyLength: 0,
      statusTimestampAfter: undefined,
      includeArtifacts: false,
    });
    if (tasks.some((task) => task.contextId !== contextId || !isTaskId(task.id))) return undefined;
    return tasks.map(({ id }) => ({ taskId: id, contextId }));
  };
}

/** Stops an id that would name something else in a URL before anything is sent. */
function known(taskId: string): string {
  if (isTaskId(taskId)) return taskId;
  throw new TypeError('no task id');
}

function isMessage(answer: Message | Task): answer is Message {
  return 'messageId' in answer;
}

function partToWire(part: Part): WirePart {
  const { mediaType = '', filename = '', metadata } = part;
  return { content: contentToWire(part), metadata: objectOf(metadata), filename, mediaType };
}

function contentToWire(part: Part): WirePart['content'] {
  if ('text' in part) return { $case: 'text', value: part.text };
  if ('url' in part) return { $case: 'url', value: part.url };
  if ('data' in part) return { $case: 'data', value: part.data };
  const { buffer, byteOffset, byteLength } = part.raw;
  return { $case: 'raw', value: Buffer.from(buffer, byteOffset, byteLength) };
}

/** The SDK declares metadata as a mutable record; a shallow copy is one. */
function objectOf(value: JsonObject | undefined): Record<string, Json> | undefined {
  return value === undefined ? undefined : { ...value };
}

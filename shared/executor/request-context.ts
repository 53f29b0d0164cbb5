import { Message as SdkMessage, type SendMessageRequest, Task as SdkTask } from '@a2a-js/sdk';
import {
  RequestContext,
  ServerCallContext,
  type ServerCallContextOptions,
  UnauthenticatedUser,
} from '@a2a-js/sdk/server';
import type { SegmentPorts } from '../app/agents.ts';
import type { Caller } from '../domain/caller.ts';
import { messageToProtoJson, taskToProtoJson } from '../domain/proto-json.ts';
import type { Task } from '../domain/task.ts';

/** What a call context is made of. Its `state` holds the caller's `claims`, if there are any. */
export interface CallContextOptions extends ServerCallContextOptions {
  readonly caller: Caller;
}
/** As the SDK's ServerCallContextBuilder: for executors that expect a user of their own class. */
export type CallContextOf = (options: CallContextOptions) => ServerCallContext;

/** More referenced tasks are not loaded. */
const REFERENCES = 20;

/** What an executor works with, as the SDK's own request handler makes it. */
export async function requestContextOf(
  segment: SegmentPorts,
  before: Task | undefined,
  callContextOf: CallContextOf,
): Promise<RequestContext> {
  const { contextId, message, taskId } = segment;
  const place = { taskId, contextId };
  const request: SendMessageRequest = {
    tenant: segment.caller.tenant,
    message: SdkMessage.fromJSON(messageToProtoJson(message, place)),
    configuration: configurationOf(segment),
    metadata: segment.request.metadata,
  };
  return new RequestContext(
    request,
    taskId,
    contextId,
    callContextOf(callOptions(segment)),
    before && sdkTask(before),
    await referencesOf(segment),
  );
}

function configurationOf({ request }: SegmentPorts): SendMessageRequest['configuration'] {
  const { acceptedOutputModes = [], historyLength, returnImmediately = false } = request;
  const frame = { taskPushNotificationConfig: undefined, returnImmediately };
  const modes = { acceptedOutputModes: [...acceptedOutputModes] };
  return historyLength === undefined
    ? { ...modes, ...frame }
    : { ...modes, ...frame, historyLength };
}

function callOptions({ caller, request }: SegmentPorts): CallContextOptions {
  const { authenticated, claims, owner, tenant } = caller;
  const { extensions, version = '1.0' } = request;
  return {
    caller,
    user: authenticated ? { isAuthenticated: true, userName: owner } : new UnauthenticatedUser(),
    requestedVersion: version,
    state: new Map(claims === undefined ? [] : [['claims', claims]]),
    ...(extensions && { requestedExtensions: [...extensions] }),
    ...(tenant !== '' && { tenant }),
  };
}

async function referencesOf(segment: SegmentPorts): Promise<SdkTask[] | undefined> {
  const ids = segment.message.referenceTaskIds ?? [];
  if (ids.length === 0) return undefined;
  const tasks = await Promise.all(ids.slice(0, REFERENCES).map((id) => segment.taskById(id)));
  return tasks.flatMap((task) => (task === undefined ? [] : [sdkTask(task)]));
}

const sdkTask = (task: Task): SdkTask => SdkTask.fromJSON(taskToProtoJson(task));

export const plainCallContext: CallContextOf = (options) => new ServerCallContext(options);

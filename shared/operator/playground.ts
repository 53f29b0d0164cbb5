import { z } from 'zod';
import { decisionPart } from '../app/content/decision-part.ts';
import { agentFor } from '../app/operators/pause-agent.ts';
import type { Frame, StreamRequest } from '../app/service.ts';
import { cancelTask } from '../app/tasks/cancel-task.ts';
import { agentName, type Principal } from '../domain/ids.ts';
import type { Message, Part } from '../domain/message.ts';
import { eventToProtoJson, messageToProtoJson, taskToProtoJson } from '../domain/proto-json.ts';
import { fail, taken } from './failure.ts';
import type { Surroundings } from './operation.ts';
import { triedEvents, type TriedEvent, type triedMessage } from './playground-schemas.ts';

/** Of an operator no one else is taken for: no check of callers names an owner like this. */
async function callerOf({ app, caller }: Surroundings, name = ''): Promise<Principal> {
  const agent = agentName(name);
  if (agent === undefined) throw fail('AGENT_NOT_FOUND');
  const refused = await agentFor(app, caller, agent, 'try');
  if (refused !== undefined) taken(refused);
  return { agent, tenant: '', owner: `operator:${caller.subject}`, authenticated: true };
}

type Given = z.output<typeof triedMessage>;

function messageOf({ messageId, parts }: Given): Message {
  return { messageId, role: 'user', parts: parts.map(partOf) };
}

function partOf(part: Given['parts'][number]): Part {
  const frame = part.mediaType === undefined ? {} : { mediaType: part.mediaType };
  if ('text' in part) return { text: part.text, ...frame };
  // It came as JSON; the schema of any JSON has no place in the description.
  if ('data' in part) return { data: z.json().parse(part.data), ...frame };
  const named = part.filename === undefined ? {} : { filename: part.filename };
  return { raw: Buffer.from(part.raw, 'base64'), ...frame, ...named };
}

export async function send(
  around: Surroundings,
  name: string | undefined,
  given: Given,
): Promise<void> {
  const { app, caller, reply, tasks } = around;
  const principal = await callerOf(around, name);
  const { contextId, taskId } = given;
  const message = messageOf(given);
  if (decisionPart(message) !== undefined)
    throw fail('DECISION_NOT_ALLOWED', 'A decision is made in the inbox, with the right `decide`.');
  const sent = taken(
    await (await tasks()).send(principal, {
      message,
      audit: { act: 'try', operator: caller.subject },
      ...(contextId !== undefined && { contextId }),
      ...(taskId !== undefined && { taskId }),
      ...(app.trace && { trace: app.trace }),
    }),
  );
  if (sent.kind === 'accepted')
    return follow(around, principal, sent.taskId, {
      until: 'settled',
      afterRevision: sent.revision,
    });
  reply.open();
  const { contextId: place, message: said } = sent;
  tell(around, { response: { message: messageToProtoJson(said, { contextId: place }) } });
  tell(around, { end: { why: 'settled' } });
  reply.end();
}

async function follow(
  around: Surroundings,
  principal: Principal,
  taskId: string,
  request: StreamRequest,
): Promise<void> {
  const { app, reply, tasks } = around;
  const over = reply.planned(app.settings.streamLife);
  const frames = taken(await (await tasks()).stream(principal, taskId, request, over));
  reply.open();
  let contextId = '';
  for await (const frame of frames) {
    if (over.aborted) break;
    if (frame.kind === 'task') contextId = frame.task.contextId;
    tell(around, { response: responseOf(frame, { taskId, contextId }) }, frame.seq);
    await reply.drained();
  }
  tell(around, { end: { why: over.aborted ? 'planned' : 'settled' } });
  reply.end();
}

function responseOf(frame: Frame, place: { readonly taskId: string; readonly contextId: string }) {
  return frame.kind === 'event'
    ? eventToProtoJson(frame.event, place)
    : { task: taskToProtoJson(frame.task) };
}

function tell({ reply }: Surroundings, event: TriedEvent, id?: number): void {
  for (const [name, data] of Object.entries(triedEvents.parse(event))) reply.event(name, data, id);
}

/** Behind the last event that came, or from the task as it stands. */
export async function resume(around: Surroundings, name?: string, taskId = ''): Promise<void> {
  const principal = await callerOf(around, name);
  const last = around.reply.lastEventId;
  if (last !== undefined && !/^\d{1,15}$/.test(last))
    throw fail('INVALID_PARAMS', 'Last-Event-ID: must be the id of an event, a number', {
      field: 'Last-Event-ID',
    });
  const after = last === undefined ? {} : { afterSeq: Number(last) };
  return follow(around, principal, taskId, { until: 'settled', ...after });
}

export async function cancel(around: Surroundings, name?: string, id = '') {
  const principal = await callerOf(around, name);
  const { app, caller } = around;
  const { status, taskId } = taken(await cancelTask(app, principal, id, caller.subject));
  return { id: taskId, state: status.state };
}

import type { Principal } from '../../domain/ids.ts';
import type { Refused } from '../../domain/refusal.ts';
import type { App } from '../app.ts';
import { acceptMessage } from './accept-message.ts';
import { answerTask } from './answer-task.ts';
import type { SegmentLane } from '../segment/segment-lane.ts';
import { readable } from './readable.ts';
import type { Accepted, Replied, SendRequest } from '../service.ts';
import { reply } from './reply.ts';
import { objectionToMessage } from '../webhooks/with-message.ts';

/** SendMessage: a direct reply, a new task, or the next message of a task that asked. */
export async function sendMessage(
  app: App,
  principal: Principal,
  request: SendRequest,
  lane?: SegmentLane,
): Promise<Accepted | Replied | Refused> {
  if (request.taskId === undefined || request.taskId === '') {
    const replied = await reply(app, principal, request);
    if (replied !== undefined) return replied;
  }
  const objection = await objectionToMessage(app, request);
  if (objection !== undefined) return objection;
  if (request.taskId) return readable(app, request, await answerTask(app, principal, request));
  return acceptMessage(app, principal, request, lane);
}

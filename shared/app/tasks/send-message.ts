import type { Principal } from '../../domain/ids.ts';
import type { Refused } from '../../domain/refusal.ts';
import type { App } from '../app.ts';
import { acceptMessage } from './accept-message.ts';
import { answerTask } from './answer-task.ts';
import { projectRun } from '../change/project-run.ts';
import type { Accepted, Replied, SendRequest } from '../service.ts';
import { reply } from './reply.ts';

/** SendMessage: a direct reply, a new task, or the next message of a task that asked. */
export async function sendMessage(
  app: App,
  principal: Principal,
  request: SendRequest,
): Promise<Accepted | Replied | Refused> {
  if (request.taskId === undefined || request.taskId === '') {
    const replied = await reply(app, principal, request);
    if (replied !== undefined) return replied;
  }
  const taken = request.taskId
    ? await answerTask(app, principal, request)
    : await acceptMessage(app, principal, request);
  // A caller that waits reads the task when the worker has projected it; any other reads it next.
  if (taken.kind === 'accepted' && !request.blocking) await projectRun(app, taken.taskId);
  return taken;
}

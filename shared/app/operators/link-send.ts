import { adoptLateAnswer } from '../delegation/adopt-late-answer.ts';
import type { App } from '../app.ts';
import { knownRemote } from '../delegation/known-remote.ts';
import { openSendFor, settled } from './open-send.ts';
import { notAllowed, type OperatorRefused } from './operator-refusal.ts';
import type { Operator } from './operator-rights.ts';
import type { SendAnswer } from './resend-send.ts';

/**
 * Links the remote task that an operator found for a send whose outcome is not known. The remote is asked for it first: a task that it
 * does not know, or knows in another context than this send's, is none of ours (G15).
 */
export async function linkSend(
  app: App,
  operator: Operator,
  name: string,
  remoteTask: string,
): Promise<SendAnswer | OperatorRefused> {
  const open = await openSendFor(app, operator.rights, name);
  if ('kind' in open) return open;
  const { run, send } = open;
  const { contextId, messageId } = send;
  const { taskId } = run;
  const remote = knownRemote(app, run, send.remote);
  if (remote === undefined)
    return notAllowed('REMOTE_NOT_DECLARED', `the agent declares no remote ${send.remote}`);
  const operation = { taskId: remoteTask, contextId };
  const looked = await app.remotes.look(remote, operation);
  switch (looked.kind) {
    case 'gone':
      return unknownTask('the remote does not know that task');
    case 'unusable':
      return unknownTask(`the remote's answer about that task can't be used (${looked.reason})`);
    case 'failed': {
      const message = `the remote could not be asked (${looked.reason}); try again`;
      return notAllowed('REMOTE_NOT_REACHED', message);
    }
    case 'task': {
      const answer = { state: 'acknowledged', reason: 'linked', operation } as const;
      const outcome = await adoptLateAnswer(app, taskId, messageId, {
        ...answer,
        linkedBy: operator.subject,
      });
      if (outcome.kind === 'unchanged') return settled();
      app.log.write('info', 'send linked', { task: taskId, remote: remote.name });
      return { kind: 'answered', taskId, messageId, state: 'acknowledged', reason: 'linked' };
    }
  }
}

const unknownTask = (message: string): OperatorRefused =>
  notAllowed('REMOTE_TASK_UNKNOWN', message, { field: 'taskId' });

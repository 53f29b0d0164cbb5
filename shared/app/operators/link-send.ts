import { adoptLateOutcome } from '../delegation/adopt-late-outcome.ts';
import type { App } from '../app.ts';
import { knownRemote } from '../agents.ts';
import { unresolvedSendFor, alreadyResolved } from './unresolved-send.ts';
import { notAllowed, type OperatorRefused } from './operator-refusal.ts';
import type { Operator } from './operator-rights.ts';
import type { SendReport } from './resend-send.ts';

/**
 * Links the remote task that an operator found for a send whose outcome is not known. The remote is
 * asked for it first: a task that it does not know, or knows in another context than this send's,
 * is none of ours (G15).
 */
export async function linkSend(
  app: App,
  operator: Operator,
  name: string,
  remoteTaskId: string,
): Promise<SendReport | OperatorRefused> {
  const unresolved = await unresolvedSendFor(app, operator.rights, name);
  if ('kind' in unresolved) return unresolved;
  const { run, send } = unresolved;
  const { contextId, messageId } = send;
  const { taskId } = run;
  const remote = knownRemote(app.agents, run, send.remote);
  if (remote === undefined)
    return notAllowed('REMOTE_NOT_DECLARED', `the agent declares no remote ${send.remote}`);
  const remoteTask = { taskId: remoteTaskId, contextId };
  const polled = await app.remotes.poll(remote, remoteTask);
  switch (polled.kind) {
    case 'gone':
      return unknownTask('the remote does not know that task');
    case 'unusable':
      return unknownTask(`the remote's answer about that task can't be used (${polled.reason})`);
    case 'failed': {
      const message = `the remote could not be asked (${polled.reason}); try again`;
      return notAllowed('REMOTE_NOT_REACHED', message);
    }
    case 'task': {
      const late = { state: 'acknowledged', reason: 'linked', remoteTask } as const;
      const outcome = await adoptLateOutcome(app, taskId, messageId, {
        ...late,
        linkedBy: operator.subject,
      });
      if (outcome.kind === 'unchanged') return alreadyResolved();
      app.log.write('info', 'send linked', { task: taskId, remote: remote.name });
      return { kind: 'answered', taskId, messageId, state: 'acknowledged', reason: 'linked' };
    }
  }
}

const unknownTask = (message: string): OperatorRefused =>
  notAllowed('REMOTE_TASK_UNKNOWN', message, { field: 'taskId' });

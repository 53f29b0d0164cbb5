import type { Remote } from '../../domain/remote.ts';
import { waitsForSend } from '../../domain/waiting.ts';
import type { SendOutcome } from '../../ports/remote-agents.ts';
import { adoptLateOutcome } from './adopt-late-outcome.ts';
import type { App } from '../app.ts';
import { runDoc } from '../records/documents.ts';
import { failureResult, replyResult } from './remote-result.ts';
import { type DependencyResult, resolveDependency } from './resolve-dependency.ts';

/**
 * The run was ended, or taken over, while the remote answered. The answer must not be lost: most
 * often this worker was told to stop, and the run waits already for the unknown outcome of this
 * very send.
 */
export async function recordLateOutcome(
  app: App,
  taskId: string,
  messageId: string,
  remote: Remote,
  outcome: SendOutcome,
): Promise<void> {
  switch (outcome.kind) {
    case 'acknowledged': {
      const { ref: remoteTask } = outcome.task;
      await adoptLateOutcome(app, taskId, messageId, { state: 'acknowledged', remoteTask });
      return;
    }
    case 'refused':
    case 'not_sent': {
      const { kind: state, reason } = outcome;
      const noted = await adoptLateOutcome(app, taskId, messageId, { state, reason });
      if (noted.kind === 'changed') return;
      const value = failureResult(remote, state, outcome);
      return resolveLate(app, taskId, {
        resolution: 'refused',
        value,
        send: state,
        reason,
        only: messageId,
      });
    }
    case 'replied': {
      const { bytes, message } = outcome;
      const value = replyResult(remote, message.parts);
      return resolveLate(app, taskId, {
        resolution: 'completed',
        value,
        bytes,
        send: 'acknowledged',
        only: messageId,
      });
    }
    case 'outcome_unknown':
      return;
  }
}

/** No task was made of it, so there is nothing to wait for. */
async function resolveLate(
  app: App,
  taskId: string,
  result: DependencyResult & { readonly only: string },
): Promise<void> {
  const run = await app.store.get(runDoc(taskId));
  if (run !== undefined && waitsForSend(run, result.only))
    await resolveDependency(app, run, result);
}

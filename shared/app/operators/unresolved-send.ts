import type { Millis } from '../../domain/brand.ts';
import type { Run, WaitingForDependency } from '../../domain/run.ts';
import { waitsForSend } from '../../domain/waiting.ts';
import type { App } from '../app.ts';
import { failIfUnreadable } from '../change/fail-if-unreadable.ts';
import { notAllowed, type OperatorRefused } from './operator-refusal.ts';
import type { Rights } from './operator-rights.ts';
import { type SendDoc, sendDoc } from '../records/work-documents.ts';
import { runFor } from './seen-run.ts';

/**
 * A call that began longer ago than this is over: its process has recorded the outcome, or is gone.
 */
const MARGIN: Millis = 5_000;

/** A send that only an operator can help, and the run that waits for it. */
export interface UnresolvedSend {
  readonly run: WaitingForDependency;
  readonly send: SendDoc;
}

/**
 * What is known of a send. `prepared` is what a crash leaves: once no process can be at it any
 * more, its outcome is unknown (G15).
 */
export function stateOfSend(app: App, run: Run, send: SendDoc, now: Millis): SendDoc['state'] {
  return waitsForSend(run, send.messageId) &&
    send.state === 'prepared' &&
    !isUnderWay(app, send, now)
    ? 'outcome_unknown'
    : send.state;
}

function isUnderWay(app: App, send: SendDoc, now: Millis): boolean {
  return send.state === 'prepared' && now < send.preparedAt + app.settings.remoteCall + MARGIN;
}

/** `task.message`, as operators name a send. */
export const sendName = (taskId: string, messageId: string): string => `${taskId}.${messageId}`;

/** The send, for an operator who may resolve it; refused when it is resolved already. */
export async function unresolvedSendFor(
  app: App,
  rights: Rights,
  name: string,
): Promise<UnresolvedSend | OperatorRefused> {
  const [, taskId = '', messageId = ''] = /^([0-9a-f-]{36})\.([0-9a-f-]{36})$/.exec(name) ?? [];
  const seen = await runFor(app, rights, taskId, 'send');
  // Operators name sends: which part of the name is unknown is the same to them.
  if ('kind' in seen) return seen.code === 'RUN_NOT_FOUND' ? unknownSend() : seen;
  const run = await failIfUnreadable(app, seen.run);
  if (run === undefined) return unknownSend();
  if (run.status === 'unknown')
    return notAllowed('STATUS_UNKNOWN', 'a newer version wrote the status of this run');
  const send = await app.store.get(sendDoc(taskId, messageId));
  if (send === undefined) return unknownSend();
  if (!waitsForSend(run, messageId)) return alreadyResolved();
  if (isUnderWay(app, send, app.clock.now())) {
    const message = 'it left a moment ago and may still be answered; look again in half a minute';
    return notAllowed('SEND_UNDER_WAY', message);
  }
  return { run, send };
}

const unknownSend = (): OperatorRefused => notAllowed('SEND_NOT_FOUND', 'send not found');

export function alreadyResolved(): OperatorRefused {
  const message = 'the run does not wait for this send any more, or its outcome is known by now';
  return notAllowed('SEND_SETTLED', message);
}

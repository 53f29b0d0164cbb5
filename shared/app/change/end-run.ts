import type { Millis } from '../../domain/brand.ts';
import type { Message, MessageFrame } from '../../domain/message.ts';
import type { FailureReason } from '../../domain/failure-reason.ts';
import { type Ended, type Failed, isEnded, type Run } from '../../domain/run.ts';
import { fail } from '../../domain/transitions.ts';
import type { App } from '../app.ts';
import { changeRun } from './change-run.ts';
import { projectRun } from './project-run.ts';
import { noteProjection } from './note-projection.ts';
import type { Changed, Outcome, RunChange } from './run-change.ts';
import { projectSoon, wakeUp } from '../wake-up.ts';

/** What the caller is told about a failure that is not the agent's own to explain. */
const WORDS: Record<FailureReason, string> = {
  AGENT_FAILED: 'The agent failed.',
  AGENT_UNKNOWN: 'The agent of this task is no longer published here.',
  ATTEMPTS_EXHAUSTED: 'The task was started several times and did not finish.',
  DEADLINE_EXCEEDED: 'The task was not finished within its time.',
  RESULT_NOT_STORED: 'The result could not be stored.',
  RESULT_NOT_KEPT: "The result could not be kept under the installation's privacy policy.",
  STATE_UNREADABLE: 'The stored state of this task can no longer be read.',
  WAIT_ENDED: 'The task waited for an answer for as long as it may, and none came.',
  EFFECT_UNKNOWN: 'A step that must not be repeated may have happened when its worker was lost.',
  FILES_REFUSED: 'The agent left files that can not be kept.',
  WORK_LOST:
    'The task was not finished when it was restored from its archive, and what it worked with is lost.',
  ROUNDS_EXCEEDED: 'The task took more rounds than it may.',
  TOKENS_EXCEEDED: 'The task used more tokens than it may.',
  COST_EXCEEDED: 'The task cost more than it may.',
  DELEGATIONS_EXCEEDED: 'The task asked other agents more often than it may.',
  BYTES_EXCEEDED: 'The task exchanged more with other agents than it may.',
};

export const failureWords = (reason: FailureReason): string => WORDS[reason];

export const isFailureReason = (value: unknown): value is FailureReason =>
  typeof value === 'string' && Object.hasOwn(WORDS, value);

export function agentMessage(app: App, parts: Message['parts'], frame: MessageFrame = {}): Message {
  return { messageId: app.ids.uuid(), ...frame, role: 'agent', parts };
}

/**
 * The change that ends a run FAILED with a reason, which its task shows as `metadata.reason`;
 * content-free, so it can be stored when a result can't, also without a redactor. `may` is the
 * guard: why this caller may end that run.
 */
export function failure(
  app: App,
  reason: FailureReason,
  may: (run: Run, now: Millis) => boolean,
): RunChange {
  const message = agentMessage(app, [{ text: failureWords(reason) }]);
  return {
    publish: { status: { message, fixed: true, metadata: { reason } } },
    decide: (run, now) => (may(run, now) ? fail(run, reason, now) : undefined),
  };
}

/** Ends a run that no worker of ours holds. */
export async function failRun(
  app: App,
  known: Run,
  reason: FailureReason,
  may: (run: Run, now: Millis) => boolean,
): Promise<Outcome> {
  const outcome = await changeRun(app, known, failure(app, reason, may));
  await afterEnd(app, outcome);
  return outcome;
}

/** What a segment's end or another change made of a run is shown at once. */
export async function afterEnd(app: App, outcome: Outcome): Promise<void> {
  if (outcome.kind !== 'changed') return;
  const { run } = outcome;
  if (isEnded(run)) told(app, run);
  await projectSoon(app, run, () => shownWhole(app, outcome));
  if (run.orphans !== undefined) await wakeUp(app, run, ['cancel-remote']);
}

/** In the log and in the metrics; a run that only waits has not ended. */
function told(app: App, run: Ended | Failed): void {
  const { agent, status } = run;
  const took = run.statusAt - run.createdAt;
  const reason = run.status === 'failed' ? { reason: run.reason } : {};
  app.log.write('info', 'run ended', {
    task: run.taskId,
    status,
    ...reason,
    fence: run.fence,
    revision: run.revision,
    milliseconds: took,
  });
  app.metrics?.measure('holdfast.run.duration', took / 1_000, { agent, status, ...reason });
}

/** Most often the commit has shown it, and only what follows a projection is to be done. */
async function shownWhole(app: App, { held, run }: Changed): Promise<void> {
  const { behind, snapshot, view } = held ?? {};
  if (snapshot && behind?.length === 0 && view?.projectedRevision === run.revision)
    await noteProjection(app, run, { view, snapshot });
  else await projectRun(app, run.taskId, run);
}

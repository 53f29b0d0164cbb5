import { blockOf, type Change } from '../../domain/blocked.ts';
import type { Run, WaitingForDependency } from '../../domain/run.ts';
import { remoteResult } from './remote-result.ts';
import { resolveDependency } from './resolve-dependency.ts';
import { blockPoll } from '../../domain/waiting.ts';
import { changesFor, knownRemote } from '../agents.ts';
import { changeRun } from '../change/change-run.ts';
import { logBlocked } from '../segment/log-blocked.ts';
import { dueNow } from '../../domain/obligations.ts';
import { Unreadable } from '../../ports/faults.ts';
import type { WakeUp } from '../../ports/queue.ts';
import type { App } from '../app.ts';
import { isTimeSteady } from '../records/steady-time.ts';
import { cancelRemote } from './cancel-remote.ts';
import { runDoc } from '../records/documents.ts';
import { failRun } from '../change/end-run.ts';
import { failScrubbed } from '../change/fail-scrubbed.ts';
import { pollLast, pollRemote } from './poll-remote.ts';
import { wakeUp, wakeUpAgain } from '../wake-up.ts';

/**
 * What a run that waits for a remote agent needs (docs/delegation.md). The row decides: a wake-up
 * that comes twice, or for a suspension that is over, finds nothing due.
 */
export async function coordinate(app: App, given: WakeUp): Promise<void> {
  const { kind, taskId } = given;
  const run = await app.store.get(runDoc(taskId));
  if (run === undefined) return;
  if (!isDue(app, run, kind)) return wakeUpAgain(app, run, given);
  try {
    await serve(app, run, kind);
  } catch (error) {
    const waits = run.status === 'waiting_for_dependency' && kind !== 'cancel-remote';
    if (!(error instanceof Unreadable && waits)) throw error;
    await failUnreadable(app, run);
  }
}

async function serve(app: App, run: Run, kind: WakeUp['kind']): Promise<void> {
  if (kind === 'cancel-remote') return cancelRemote(app, run);
  if (run.status !== 'waiting_for_dependency') return;
  const changes = changesFor(app.agents, run);
  if (blockOf(run, changes, app.clock.now()) !== undefined) return blockWait(app, run, changes);
  // An operator lets it go on without the remote.
  if (knownRemote(app.agents, run, run.dependency.remote) === undefined) return timeOut(app, run);
  const over = run.dependency.deadlineAt <= app.clock.now() && (await isTimeSteady(app));
  if (!over) return pollRemote(app, run);
  const open = await pollLast(app, run);
  if (open !== undefined) await timeOut(app, open);
}

/**
 * Nothing is asked of a remote that is not the one which was sent to. Perhaps it is again, with the
 * next deployment; a wait for longer than a person may take ends as one for its deadline.
 */
async function blockWait(
  app: App,
  run: WaitingForDependency,
  changes: readonly Change[],
): Promise<void> {
  const { clock, settings } = app;
  const since = run.blocked?.since ?? clock.now();
  if (clock.now() - since >= settings.waitingRetention) return timeOut(app, run);
  const outcome = await changeRun(app, run.taskId, {
    decide(current, now) {
      const blocked = blockOf(current, changes, now);
      return blocked && blockPoll(current, run.pauseGeneration, blocked, settings, now);
    },
  });
  if (outcome.kind === 'unchanged') return;
  if (run.blocked === undefined) logBlocked(app, run, changes);
  await wakeUp(app, outcome.run, ['poll', 'dependency-deadline']);
}

function isDue(app: App, run: Run, kind: WakeUp['kind']): boolean {
  return dueNow(run, app.clock.now()).some((obligation) => obligation.kind === kind);
}

/** What it waits for can't be read any more, so no answer could ever be given to it. */
async function failUnreadable(app: App, run: Run): Promise<void> {
  const same = (current: Run): boolean =>
    current.status === run.status && current.pauseGeneration === run.pauseGeneration;
  try {
    await failRun(app, run, 'STATE_UNREADABLE', same);
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    // Not even words could be sealed with its key.
    await failScrubbed(app, run, 'STATE_UNREADABLE', (current) =>
      same(current) ? current : undefined,
    );
  }
}

/**
 * The deadline of a dependency: the run goes on with a result that says what is known, and the
 * remote task is cancelled, or looked for first (G17).
 */
export async function timeOut(app: App, run: WaitingForDependency): Promise<void> {
  const { operation, remote: name } = run.dependency;
  const value = remoteResult({ name }, operation === null ? 'timeout-unknown' : 'timeout');
  await resolveDependency(app, run, { resolution: 'timeout', value, cancel: true });
}

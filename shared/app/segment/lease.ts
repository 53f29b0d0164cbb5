import { type AgentError, withErrors } from '../../domain/agent-error.ts';
import type { Millis } from '../../domain/brand.ts';
import { type Archived, hasClaim, type Run } from '../../domain/run.ts';
import { projected, renew } from '../../domain/transitions.ts';
import { isFault, isPassing, Unreadable } from '../../ports/faults.ts';
import type { App } from '../app.ts';
import { isArchiveDue, withCopy } from '../change/archive-due.ts';
import { archiveTask } from '../change/archive-task.ts';
import { changeRun } from '../change/change-run.ts';
import { type Memory, newMemory, type Outcome, type RunChange } from '../change/run-change.ts';
import type { Claimed } from './claim-run.ts';
import { projectHeld } from '../change/project-run.ts';
import type { HeldView } from '../change/projection.ts';
import { runKeyOf } from '../content/sealing-key.ts';
import { runDoc } from '../records/documents.ts';
import type { StopReason } from '../segments.ts';
import { traced } from '../tracing.ts';
import { faultName } from '../wake-up.ts';

/** Pause before a commit that met a passing fault is tried again. */
const RETRY: Millis = 500;
/** Most segments are over before this, and cost neither a renewal nor a watch. */
const KEPT_AFTER: Millis = 500;

/**
 * A claim that is being kept: renewed, watched, and given up at the first sign that it is
 * another's.
 */
export interface Lease {
  readonly claimed: Claimed;
  /** Aborted with the StopReason. */
  readonly signal: AbortSignal;
  stop(reason: StopReason): void;
  /** The row as last committed here. */
  readonly run: Run;
  /** Changes the run under the claim; repeats it on passing faults while the lease holds. */
  commit<S extends object, R extends object>(change: RunChange<S, R>): Promise<Outcome<S, R>>;
  /** Takes an error of the agent along with the next commit, once its words are sealed. */
  note(error: Promise<AgentError | undefined>): void;
  /** Has what was committed projected, soon and once for several commits. */
  projectSoon(wait: Millis): void;
  /** Stops renewing and projecting, and waits for what is under way. */
  release(): Promise<void>;
}

export function keepLease(app: App, claimed: Claimed): Lease {
  const { token } = claimed;
  const { taskId } = claimed.run;
  const controller = new AbortController();
  const ended = new AbortController();
  let known: Run = claimed.run;
  let until = claimed.run.claim.until;
  let shown = 0;
  let held: HeldView | undefined = claimed.held;
  let projecting: Promise<void> | undefined;
  let cancelProjection: (() => void) | undefined;
  let copy: Copy | undefined;
  let cancelArchive: (() => void) | undefined;
  let committing: Promise<unknown> = Promise.resolve();
  let noted: readonly Promise<AgentError | undefined>[] = [];

  const stop = (reason: StopReason): void => {
    if (!controller.signal.aborted) controller.abort(reason);
  };
  const forget = app.segments.add(taskId, stop);
  const timeLeft = Math.min(claimed.run.deadlineAt - app.clock.now(), app.settings.segment);
  const cancelDeadline = app.clock.after(timeLeft, () => stop('deadline'));

  const commit: Lease['commit'] = (change) => {
    const committed = commitOne(change);
    const before = committing;
    committing = Promise.allSettled([before, committed]);
    return committed;
  };

  const commitOne: Lease['commit'] = (change) => {
    const { publish } = change;
    // No client waits for bookkeeping.
    if (publish === undefined) return tryCommit(change);
    const items = 'items' in publish ? publish.items?.length : undefined;
    const given = () => ({ attributes: { task: taskId, items } });
    return traced(app, 'commit', given, async (_, span) => {
      const outcome = await tryCommit(change);
      span?.set({
        committed: outcome.kind === 'changed',
        status: outcome.run?.status,
        revision: outcome.run?.revision,
      });
      return outcome;
    });
  };

  async function tryCommit<S extends object, R extends object>(
    change: RunChange<S, R>,
  ): Promise<Outcome<S, R>> {
    // One memory for all tries: a try that looked failed may have been applied.
    const memory: Memory<S> = newMemory(app);
    // One commit takes them, and no other that is under way.
    const taken = noted;
    noted = [];
    const errors =
      taken.length === 0 ? [] : (await Promise.all(taken)).flatMap((each) => each ?? []);
    const decide: typeof change.decide = (run, at, found) =>
      carried(app, change.decide(run, at, found), { shown, copy, errors });
    for (;;) {
      try {
        const outcome = await changeRun(app, known, { ...change, decide, held, memory });
        note(outcome);
        return outcome;
      } catch (error) {
        const passes = isFault(error) && error.advice === 'retry';
        if (!isPassing(error) && !(error instanceof Unreadable)) stop('unstorable');
        if (!passes || controller.signal.aborted || app.clock.now() + RETRY >= until) {
          noted = [...taken, ...noted];
          throw error;
        }
        await app.clock.sleep(RETRY);
      }
    }
  }

  function note(outcome: Outcome): void {
    // A renewal that comes after our own last commit finds the claim gone, and that is no loss.
    const over = known.status !== 'running';
    known = outcome.run ?? known;
    if (outcome.kind === 'unchanged') {
      if (!over) stop(known.status === 'cancelled' ? 'cancelled' : 'lost');
    } else {
      ({ held } = outcome);
      if (known.status === 'running') until = known.claim.until;
      if (known.archived?.generation === copy?.archived.generation) copy = undefined;
      archiveInTime();
    }
  }

  async function keepLease(first: Millis): Promise<void> {
    for (let wait = first; !ended.signal.aborted && !controller.signal.aborted; ) {
      await app.clock.sleep(wait, ended.signal);
      wait = app.settings.leaseRenewal;
      if (ended.signal.aborted || controller.signal.aborted || known.status !== 'running') return;
      try {
        await commit({ decide: (run, at) => renew(run, token, at + app.settings.lease) });
      } catch (error) {
        app.log.write('warning', 'lease not renewed', {
          task: taskId,
          fault: faultName(error),
        });
        if (app.clock.now() >= until) stop('lost');
      }
    }
  }

  /**
   * Whatever ended the claim, and in whichever process: an agent that says nothing for long is told
   * within a second. A fault costs only that; the next commit or renewal finds the claim gone.
   */
  async function watchRow(): Promise<void> {
    const until = AbortSignal.any([ended.signal, controller.signal]);
    if (until.aborted) return;
    try {
      for await (const row of app.store.watch(runDoc(taskId), until)) {
        // What was on its way when this came may have been our own last write.
        await committing;
        if (known.status !== 'running') return;
        if (row === undefined || !hasClaim(row, token)) {
          stop(row?.status === 'cancelled' ? 'cancelled' : 'lost');
          return;
        }
      }
    } catch (error) {
      app.log.write('warning', 'row not watched', { task: taskId, fault: faultName(error) });
    }
  }

  async function project(): Promise<void> {
    try {
      if (known.projectedRevision === known.revision) return await archive();
      const projected = await projectHeld(app, taskId);
      shown = Math.max(shown, projected?.view.projectedRevision ?? 0);
      held = projected?.held ?? held;
    } catch (error) {
      app.log.write('warning', 'projection put off', {
        task: taskId,
        fault: faultName(error),
      });
    }
  }

  /**
   * What is known here is archived without a look; the next write of the row takes the note along.
   */
  async function archive(): Promise<void> {
    const run = known;
    if (copy !== undefined || !isArchiveDue(run, app.clock.now())) return;
    // Whatever brought it to rest is archiving it already.
    if (run.archivePending === true) return;
    const { snapshot, view } = held ?? {};
    const whole =
      view?.projectedRevision === run.revision && view.scrubbedRevision === run.scrubbedRevision;
    if (!whole) return void (await projectHeld(app, taskId));
    const archived = await archiveTask(
      app,
      await runKeyOf(app, run),
      { view, ...(snapshot && { snapshot }) },
      run,
    );
    copy = archived && { archived, scrubbedRevision: run.scrubbedRevision };
  }

  /** When the next copy is due; a fault waits for the sweeper, or for the next write. */
  function archiveInTime(): void {
    const { archiveAt, status } = known;
    if (cancelArchive !== undefined || archiveAt === undefined || status !== 'running') return;
    cancelArchive = app.clock.after(Math.max(0, archiveAt - app.clock.now()), () => {
      cancelArchive = undefined;
      projecting = (projecting ?? Promise.resolve()).then(project);
    });
  }

  function projectSoon(wait: Millis): void {
    if (cancelProjection !== undefined) return;
    cancelProjection = app.clock.after(wait, () => {
      cancelProjection = undefined;
      projecting = (projecting ?? Promise.resolve()).then(project);
    });
  }

  archiveInTime();
  let keeping: Promise<unknown> | undefined;
  const { leaseRenewal } = app.settings;
  const quiet = Math.min(KEPT_AFTER, leaseRenewal);
  const cancelKeeping = app.clock.after(quiet, () => {
    keeping = Promise.all([keepLease(leaseRenewal - quiet), watchRow()]);
  });
  return {
    claimed,
    signal: controller.signal,
    stop,
    get run() {
      return known;
    },
    commit,
    note(error) {
      noted = [...noted, error];
    },
    projectSoon,
    async release() {
      // Nothing listens before the lease is kept, and most segments are over by then.
      if (keeping !== undefined) ended.abort('the segment is over');
      forget();
      cancelDeadline();
      cancelKeeping();
      // A run that goes on elsewhere is not projected by another process for a while.
      const pending = cancelProjection !== undefined && goesOn(known);
      cancelProjection?.();
      cancelArchive?.();
      if (pending) projecting = (projecting ?? Promise.resolve()).then(project);
      await Promise.all([keeping, projecting]);
    },
  };
}

/** Left in a status that makes nothing public, so its last revision may not have been projected. */
function goesOn({ status }: Run): boolean {
  return status === 'queued' || status === 'waiting_for_dependency';
}

/**
 * Any write of the row takes the projector's progress, the newest copy and the agent's errors
 * along, so that they need no write of their own.
 */
function carried(
  app: App,
  next: Run | undefined,
  { copy, errors, shown }: Carried,
): Run | undefined {
  const noted = next && withErrors(projected(next, shown), errors);
  return noted !== undefined && copy?.scrubbedRevision === noted.scrubbedRevision
    ? withCopy(app, noted, copy.archived)
    : noted;
}

interface Carried {
  readonly copy: Copy | undefined;
  readonly shown: number;
  readonly errors: readonly AgentError[];
}

/** A copy that this worker has written into the archive, and of which the row knows nothing yet. */
interface Copy {
  readonly archived: Archived;
  readonly scrubbedRevision: number;
}

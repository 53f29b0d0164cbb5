import type { Millis } from '../domain/brand.ts';
import type { Run } from '../domain/run.ts';
import { projected, renew } from '../domain/transitions.ts';
import { isFault } from '../ports/faults.ts';
import type { App } from './app.ts';
import { type Change, changeRun, newMemory, type Unchanged, type Changed } from './change-run.ts';
import type { Claimed } from './claim-run.ts';
import { projectRun } from './project-run.ts';
import type { StopReason } from './segments.ts';
import { faultName } from './wake-up.ts';

/** Pause before a commit that met a passing fault is tried again. */
const RETRY: Millis = 500;

/** A claim that is being kept: renewed, watched, and given up at the first sign that it is another's. */
export interface Hold {
  readonly claimed: Claimed;
  /** Aborted with the StopReason. */
  readonly signal: AbortSignal;
  stop(reason: StopReason): void;
  /** Commits a change of the run under the claim; repeats it on passing faults while the lease holds. */
  commit(decide: (run: Run, now: Millis) => Change | undefined): Promise<Changed | Unchanged>;
  /** Has what was committed projected, soon and once for several commits. */
  projectSoon(wait: Millis): void;
  /** Stops renewing and projecting, and waits for what is under way. */
  release(): Promise<void>;
}

export function holdRun(app: App, claimed: Claimed): Hold {
  const { place, token } = claimed;
  const controller = new AbortController();
  const ended = new AbortController();
  let until = claimed.run.claim.until;
  let shown = 0;
  let projecting: Promise<void> | undefined;
  let cancelProjection: (() => void) | undefined;

  const stop = (reason: StopReason): void => {
    if (!controller.signal.aborted) controller.abort(reason);
  };
  const forget = app.segments.add(place.taskId, stop);
  const timeLeft = Math.min(claimed.run.deadlineAt - app.clock.now(), app.settings.segment);
  const cancelDeadline = app.clock.after(timeLeft, () => stop('deadline'));

  async function commit(
    decide: (run: Run, now: Millis) => Change | undefined,
  ): Promise<Changed | Unchanged> {
    // One memory for all tries: a try that looked failed may have been applied.
    const memory = newMemory(app);
    for (;;) {
      try {
        const outcome = await changeRun(
          app,
          place,
          (run, at) => carried(decide(run, at), shown),
          memory,
        );
        if (outcome.kind === 'changed' && outcome.run.status === 'running')
          until = outcome.run.claim.until;
        if (outcome.kind === 'unchanged')
          stop(outcome.run?.status === 'cancelled' ? 'cancelled' : 'lost');
        return outcome;
      } catch (error) {
        if (!isFault(error) || error.advice !== 'retry' || app.clock.now() + RETRY >= until)
          throw error;
        await app.clock.sleep(RETRY);
      }
    }
  }

  async function keepLease(): Promise<void> {
    while (!ended.signal.aborted && !controller.signal.aborted) {
      await app.clock.sleep(app.settings.leaseRenewal, ended.signal);
      if (ended.signal.aborted || controller.signal.aborted) return;
      try {
        await commit((run, at) => {
          const next = renew(run, token, at + app.settings.lease);
          return next && { next };
        });
      } catch (error) {
        app.log.write('warning', 'lease not renewed', {
          task: place.taskId,
          fault: faultName(error),
        });
        if (app.clock.now() >= until) stop('lost');
      }
    }
  }

  async function project(): Promise<void> {
    try {
      const view = await projectRun(app, place.taskId);
      shown = Math.max(shown, view?.projectedRevision ?? 0);
    } catch (error) {
      app.log.write('warning', 'projection put off', {
        task: place.taskId,
        fault: faultName(error),
      });
    }
  }

  function projectSoon(wait: Millis): void {
    if (cancelProjection !== undefined) return;
    cancelProjection = app.clock.after(wait, () => {
      cancelProjection = undefined;
      projecting = (projecting ?? Promise.resolve()).then(project);
    });
  }

  const keeping = keepLease();
  return {
    claimed,
    signal: controller.signal,
    stop,
    commit,
    projectSoon,
    async release() {
      ended.abort('the segment is over');
      forget();
      cancelDeadline();
      cancelProjection?.();
      await Promise.all([keeping, projecting]);
    },
  };
}

/** Any write of the row takes the projector's progress along, so that it needs no write of its own. */
function carried(change: Change | undefined, shown: number): Change | undefined {
  return change && { ...change, next: projected(change.next, shown) };
}

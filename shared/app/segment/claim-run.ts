import { isPaused, notCounting } from '../../domain/agent-pause.ts';
import type { Millis } from '../../domain/brand.ts';
import {
  type ClaimToken,
  hasClaim,
  type Queued,
  type Run,
  type Running,
} from '../../domain/run.ts';
import { emptySnapshot } from '../../domain/task.ts';
import { claim, type Delivery, late } from '../../domain/transitions.ts';
import type { WakeUp } from '../../ports/queue.ts';
import type { App } from '../app.ts';
import { unsealRevision } from '../content/publication.ts';
import { readRevisions } from '../content/revisions.ts';
import { runKeyOf } from '../content/sealing-key.ts';
import { unsealSnapshot } from '../content/snapshot.ts';
import { undefinedIfUnreadable } from '../records/unreadable.ts';
import { runDoc, viewDoc } from '../records/documents.ts';
import { failRun } from '../change/end-run.ts';
import { isKeyUsable } from '../change/fail-if-unreadable.ts';
import { failScrubbed } from '../change/fail-scrubbed.ts';
import type { HeldView } from '../change/projection.ts';
import { changeRun } from '../change/change-run.ts';
import { isTimeSteady } from '../records/steady-time.ts';
import { underPolicy } from '../privacy/under-policy.ts';
import { wakeUpAgain } from '../wake-up.ts';
import { traced } from '../tracing.ts';

/** A run that this worker holds, and the token that proves it. */
export interface Claimed {
  readonly run: Running;
  readonly token: ClaimToken;
  /** The task's view, where the one who claims it knows it. */
  readonly held?: HeldView;
}

/**
 * Claims a queued run: the fence rises and a fresh token is set in one transaction, so of two
 * workers one gets it (G12). Before that it is put under what may be kept of it now. Undefined when
 * there is nothing to claim: running elsewhere, ended, waiting, or not yet due.
 */
export function claimRun(
  app: App,
  given: WakeUp,
  delivery: Delivery,
): Promise<Claimed | undefined> {
  const named = () => ({ attributes: { task: given.taskId } });
  return traced(app, 'claim', named, async (traceable, span) => {
    const claimed = await claimQueued(traceable, given, delivery);
    span?.set({ claimed: claimed !== undefined, fence: claimed?.run.fence });
    return claimed;
  });
}

async function claimQueued(
  app: App,
  given: WakeUp,
  delivery: Delivery,
): Promise<Claimed | undefined> {
  const queued = await app.store.get(runDoc(given.taskId));
  if (queued?.status !== 'queued') return undefined;
  // It stays due: resuming the agent wakes it up, or the sweeper does.
  const pauses = await app.pausedAgents.surelyOf(queued.agent);
  if (isPaused(pauses)) return undefined;
  if (!(await isKeyUsable(app, queued))) {
    await failScrubbed(app, queued, 'STATE_UNREADABLE', (run) => run);
    return undefined;
  }
  const present = await underPolicy(app, queued);
  if (present?.status !== 'queued') return undefined;
  const isLate = (run: Run, now: Millis): boolean => late(notCounting(run, pauses, now), now);
  if (isLate(present, app.clock.now())) {
    // After a leap of the clock the sweeper sees to it, once time goes on steadily.
    if (await isTimeSteady(app)) await failRun(app, present, 'DEADLINE_EXCEEDED', isLate);
    return undefined;
  }
  if (present.notBefore > app.clock.now()) {
    await wakeUpAgain(app, present, given);
    return undefined;
  }
  const token = app.ids.token() as ClaimToken;
  // A run that is queued again was WORKING before: then nothing is published.
  const outcome = await changeRun(app, present, {
    publish: { status: {} },
    // What can't be read is the segment's to find out, who can say so.
    held: await undefinedIfUnreadable(() => firstView(app, present)),
    decide(run, now) {
      const granted = { token, until: now + app.settings.lease };
      return claim(notCounting(run, pauses, now), granted, delivery, now);
    },
  });
  // Also when an attempt looked lost and was applied: the token is ours alone.
  const { run } = outcome;
  if (run === undefined || !hasClaim(run, token)) return undefined;
  const held = outcome.kind === 'changed' ? outcome.held : undefined;
  return { run, token, ...(held && { held }) };
}

/**
 * The view of a run that no worker has taken yet, which is short: the worker that claims it can
 * show that at once.
 */
async function firstView(app: App, run: Queued): Promise<HeldView | undefined> {
  if (run.fence > 0 || run.scrubbedRevision > 0) return undefined;
  const { taskId } = run;
  const [view, [revision]] = await Promise.all([
    app.store.get(viewDoc(taskId)),
    readRevisions(app, taskId, { from: 1, to: 1 }),
  ]);
  const runKey = await runKeyOf(app, run);
  if (view !== undefined)
    return { view, snapshot: await unsealSnapshot(app, runKey, view), behind: [] };
  if (revision === undefined) return undefined;
  const items = await unsealRevision(app, runKey, revision);
  const { state, at } = revision;
  return { view, snapshot: emptySnapshot(), behind: [{ revision: 1, state, at, items }] };
}

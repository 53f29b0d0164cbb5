import { type ClaimToken, hasClaim, type Running } from '../../domain/run.ts';
import { claim, type Delivery, late } from '../../domain/transitions.ts';
import type { WakeUp } from '../../ports/queue.ts';
import type { App } from '../app.ts';
import { runDoc } from '../records/documents.ts';
import { failRun } from '../change/end-run.ts';
import { isKeyUsable } from '../change/fail-if-unreadable.ts';
import { failScrubbed } from '../change/fail-scrubbed.ts';
import { changeRun } from '../change/change-run.ts';
import { underPolicy } from '../privacy/under-policy.ts';
import { wakeUpAgain } from '../wake-up.ts';
import { traced } from '../tracing.ts';

/** A run that this worker holds, and the token that proves it. */
export interface Claimed {
  readonly run: Running;
  readonly token: ClaimToken;
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
  if (!(await isKeyUsable(app, queued))) {
    await failScrubbed(app, queued, 'STATE_UNREADABLE', (run) => run);
    return undefined;
  }
  const present = await underPolicy(app, queued);
  if (present?.status !== 'queued') return undefined;
  if (late(present, app.clock.now())) {
    await failRun(app, present, 'DEADLINE_EXCEEDED', late);
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
    decide: (run, now) => claim(run, { token, until: now + app.settings.lease }, delivery, now),
  });
  // Also when an attempt looked lost and was applied: the token is ours alone.
  const { run } = outcome;
  return run !== undefined && hasClaim(run, token) ? { run, token } : undefined;
}

import { type ClaimToken, holds, type Running } from '../domain/run.ts';
import { claim, late } from '../domain/transitions.ts';
import type { App } from './app.ts';
import { changeRun } from './change-run.ts';
import { preparePublication } from './delta.ts';
import { failRun } from './end-run.ts';
import { runDoc } from './documents.ts';
import type { Place } from './objects.ts';

/** A run that this worker holds, and the token that proves it. */
export interface Claimed {
  readonly run: Running;
  readonly place: Place;
  readonly token: ClaimToken;
}

/**
 * Claims a queued run: the fence rises and a fresh token is set in one transaction, so of two workers one gets it (G12).
 * Undefined when there is nothing to claim: running elsewhere, ended, waiting, or not yet due.
 */
export async function claimRun(app: App, taskId: string): Promise<Claimed | undefined> {
  const present = await app.store.get(runDoc(taskId));
  if (present?.status !== 'queued') return undefined;
  const place: Place = {
    taskId,
    contextId: present.contextId,
    key: await app.keys.open(present.wrappedKey),
  };
  if (late(present, app.clock.now())) {
    await failRun(app, place, 'DEADLINE_EXCEEDED', late);
    return undefined;
  }
  const token = app.ids.token() as ClaimToken;
  const packed = await preparePublication(app, place, { status: {} });
  const outcome = await changeRun(app, place, (run, now) => {
    const next = claim(run, { token, until: now + app.settings.lease }, now);
    // A run that is queued again was WORKING before: nothing new to tell.
    return next && (next.revision === run.revision ? { next } : { next, packed });
  });
  // Also when an attempt looked lost and was applied: the token is ours alone.
  const { run } = outcome;
  return run !== undefined && holds(run, token) ? { run, place, token } : undefined;
}

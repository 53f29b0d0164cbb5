import type { Millis } from '../../domain/brand.ts';
import { isEnded, type Run, waitsForPerson } from '../../domain/run.ts';
import { purge } from '../../domain/transitions.ts';
import { isFault } from '../../ports/faults.ts';
import type { App } from '../app.ts';
import { failScrubbed } from '../change/fail-scrubbed.ts';
import { countAct } from '../content/audit-record.ts';
import { runDoc } from '../records/documents.ts';
import { faultName } from '../wake-up.ts';
import { type Purged, purgeRun } from './purge-run.ts';

/**
 * `ended`: it waited for a person until its window was over. It says so now, and goes a day later.
 */
export type Overdue = Purged | 'ended';

/**
 * What is due for a run whose time is over. One that waits for a person ends first: FAILED with a
 * reason, as the last frame of each open stream, and without what it held. What has ended is
 * removed. A run that was answered meanwhile has another time, and is left.
 */
export async function purgeOverdue(app: App, taskId: string): Promise<Overdue> {
  const may = (current: Run, now: Millis): Run | undefined =>
    isEnded(current) && overdue(current, now) ? purge(current, now) : undefined;
  const purged = await purgeRun(app, taskId, may, 'together');
  if (purged !== 'in-use') return purged;
  const run = await app.store.get(runDoc(taskId));
  if (run === undefined || !overdueWait(run, app.clock.now())) return purged;
  const ended = await failScrubbed(app, run, 'WAIT_ENDED', (current, now) =>
    overdueWait(current, now) ? current : undefined,
  );
  return ended ? 'ended' : 'in-use';
}

const overdueWait = (run: Run, now: Millis): boolean => waitsForPerson(run) && overdue(run, now);

export const overdue = (run: Run, now: Millis): boolean =>
  run.purgeAt !== null && run.purgeAt <= now;

/**
 * Counts in the audit record what was removed because its time was over. The purge is committed by
 * then: a fault costs the note.
 */
export async function noteRemoved(app: App, fates: readonly Overdue[]): Promise<void> {
  const runs = fates.filter((fate) => fate === 'purged').length;
  if (runs === 0) return;
  try {
    await countAct(app, 'purge', 'retention', runs);
  } catch (error) {
    if (!isFault(error)) throw error;
    app.log.write('warning', 'removals not noted', { runs, fault: faultName(error) });
  }
}

import { waitsForPerson } from '../../domain/run.ts';
import { recordAct } from '../content/audit-record.ts';
import { allRuns } from '../records/all-runs.ts';
import type { App } from '../app.ts';
import { overdue, purgeOverdue } from './purge-overdue.ts';

export interface PurgeCounts {
  readonly seen: number;
  /** Ended, and their retention is over. */
  readonly ended: number;
  /** Waited for a person until their window was over: they end now, and are removed a day later. */
  readonly waiting: number;
  /** Begun before, and not finished. */
  readonly begun: number;
}

/**
 * Removes every run whose time is over, as the sweeper does by and by; or only counts them. `by`:
 * the operator whose word it is, for one entry of the audit record at the end.
 */
export async function purgeDue(
  app: App,
  dryRun: boolean,
  progress: (counts: PurgeCounts) => void = () => undefined,
  by?: string,
): Promise<PurgeCounts> {
  let counts: PurgeCounts = { seen: 0, ended: 0, waiting: 0, begun: 0 };
  const now = app.clock.now();
  for await (const rows of allRuns(app)) {
    for (const { value: run } of rows) {
      if (run === undefined) continue;
      const begun = run.status === 'purging';
      const due = begun || overdue(run, now);
      const waits = waitsForPerson(run);
      counts = {
        seen: counts.seen + 1,
        ended: counts.ended + (due && !begun && !waits ? 1 : 0),
        waiting: counts.waiting + (due && waits ? 1 : 0),
        begun: counts.begun + (begun ? 1 : 0),
      };
      if (due && !dryRun) await purgeOverdue(app, run.taskId);
    }
    progress(counts);
  }
  const { begun, ended, seen, waiting } = counts;
  const outcome = `${ended + begun} of ${seen} runs removed, ${waiting} waits ended`;
  if (!dryRun && by !== undefined) await recordAct(app, { act: 'purge', operator: by, outcome });
  return counts;
}

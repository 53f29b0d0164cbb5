import { recordAct } from '../content/audit-record.ts';
import type { Run } from '../../domain/run.ts';
import { destroy } from '../../domain/transitions.ts';
import { isNotReadable } from '../records/unreadable.ts';
import type { App } from '../app.ts';
import { allRuns } from '../records/all-runs.ts';
import { noteKeys } from './check-keys.ts';
import { purgeRun } from './purge-run.ts';

export interface DestroyCounts {
  readonly seen: number;
  /** Their keys are gone, or not at hand. */
  readonly withoutKey: number;
}

/**
 * By the word of an operator, who knows that the key will not come back: removes every run that
 * can't be opened with the keys at hand, in use or not, and notes that those are the only ones from
 * now on. Throws Unavailable, and then nothing is noted.
 */
export async function purgeWithoutKey(
  app: App,
  dryRun: boolean,
  progress: (counts: DestroyCounts) => void = () => undefined,
  by?: string,
): Promise<DestroyCounts> {
  let counts: DestroyCounts = { seen: 0, withoutKey: 0 };
  for await (const rows of allRuns(app)) {
    for (const { value: run } of rows) {
      if (run === undefined) continue;
      const lost = run.status === 'purging' || !(await opens(app, run));
      counts = { seen: counts.seen + 1, withoutKey: counts.withoutKey + (lost ? 1 : 0) };
      if (!lost || dryRun) continue;
      app.segments.stop(run.taskId, 'lost');
      await purgeRun(app, run.taskId, destroy);
    }
    progress(counts);
  }
  if (!dryRun) {
    const outcome = `${counts.withoutKey} of ${counts.seen} runs removed`;
    // Replaces the key of the audit record, if that is lost as well.
    if (by !== undefined) await recordAct(app, { act: 'purge-without-key', operator: by, outcome });
    await noteKeys(app, await app.sealer.keyNames(), 'only');
  }
  return counts;
}

async function opens(app: App, run: Run): Promise<boolean> {
  try {
    await app.keys.unwrap(run.taskId, run.wrappedKey);
    return true;
  } catch (error) {
    if (isNotReadable(error)) return false;
    throw error;
  }
}

import type { App } from '../app.ts';
import { openRuns } from './open-runs.ts';
import { readRecord, type RunRecord } from './record.ts';
import type { CheckedRun, Verdict } from './verdict.ts';

export interface CheckOptions {
  /** Runs of this agent alone. */
  readonly agent?: string | undefined;
  /** So many runs at most. Default: all. */
  readonly limit?: number | undefined;
  readonly judge: (record: RunRecord) => Promise<Verdict>;
}

/** Records that are read at once. */
const AT_ONCE = 10;

/** Every open run with what becomes of it, as they are read. Changes nothing. */
export async function* checkRuns(app: App, options: CheckOptions): AsyncGenerator<CheckedRun> {
  const { agent, judge, limit = Number.POSITIVE_INFINITY } = options;
  let left = limit;
  // A run that moves on meanwhile may be met twice.
  const met = new Set<string>();
  for await (const page of openRuns(app)) {
    const wanted = page
      .filter((run) => (agent === undefined || run.agent === agent) && !met.has(run.taskId))
      .slice(0, left);
    left -= wanted.length;
    for (const { taskId } of wanted) met.add(taskId);
    for (let at = 0; at < wanted.length; at += AT_ONCE) {
      const some = wanted.slice(at, at + AT_ONCE);
      const records = await Promise.all(some.map((run) => readRecord(app, run)));
      for (const [index, run] of some.entries())
        yield { run, verdict: await verdictOf(records[index], judge) };
    }
    if (left <= 0) return;
  }
}

async function verdictOf(
  record: RunRecord | string | undefined,
  judge: CheckOptions['judge'],
): Promise<Verdict> {
  if (typeof record === 'object') return judge(record);
  return { kind: 'not checked', why: record ?? 'it is gone' };
}

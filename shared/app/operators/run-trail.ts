import type { AgentError } from '../../domain/agent-error.ts';
import { isEnded, type Run } from '../../domain/run.ts';
import type { App } from '../app.ts';
import { errorWordsOf } from '../content/agent-errors.ts';
import { runKeyOf } from '../content/sealing-key.ts';
import { undefinedIfUnreadable } from '../records/unreadable.ts';
import type { OperatorRefused } from './operator-refusal.ts';
import type { Rights, Seen } from './operator-rights.ts';
import { readTrail, type TrailRead, type TrailStep } from '../content/read-trail.ts';
import { seenRun } from './seen-run.ts';

/** Steps that are read at once, and what was said in all that one page shows. */
const AT_ONCE = 25;
const BYTES = 4 * 1024 * 1024;

/** The trail of one run, as one operator may see it. */
export interface RunTrail extends Seen, Omit<TrailRead, 'steps'> {
  readonly kind: 'trail';
  readonly steps: readonly TrailStep[];
  readonly errors: readonly ShownError[];
  /** Number of the first step that is not shown. */
  readonly next?: number;
}

/** What the agent's code threw, with its words if its reader may see them and they were kept. */
export interface ShownError {
  readonly error: AgentError;
  readonly words: string | undefined;
}

/**
 * What a run did, step by step, as far as it is kept. What was said only with the right `view`.
 * `limit` is at least 1; a page whose steps are large has fewer.
 */
export async function runTrail(
  app: App,
  rights: Rights,
  id: string,
  { from, limit }: { readonly from: number; readonly limit: number },
): Promise<RunTrail | OperatorRefused> {
  const seen = await seenRun(app, rights, id);
  if ('kind' in seen) return seen;
  const { may, run } = seen;
  const words = may.has('view');
  const steps: TrailStep[] = [];
  let left = BYTES;
  let read: TrailRead;
  let next = from;
  do {
    const most = Math.min(AT_ONCE, from + limit - next);
    read = await readTrail(app, run, { from: next, limit: most, words });
    for (const step of read.steps) {
      left -= sizeOf(step);
      // One that is larger than a page is a page of its own.
      if (left < 0 && steps.length > 0) break;
      steps.push(step);
    }
    next += most;
  } while (left > 0 && next <= run.steps && next < from + limit && read.steps.length > 0);
  const after = (steps.at(-1)?.number ?? run.steps) + 1;
  return {
    kind: 'trail',
    run,
    may,
    open: read.open,
    level: read.level,
    ...(read.until !== undefined && { until: read.until }),
    steps,
    errors: await shownErrors(app, run, words),
    ...(after <= run.steps && { next: after }),
  };
}

function sizeOf({ words }: TrailStep): number {
  return words === undefined ? 0 : JSON.stringify(words).length;
}

/** Nothing of them is shown where nothing of the run is kept. */
export async function shownErrors(
  app: App,
  run: Run,
  view: boolean,
): Promise<readonly ShownError[]> {
  const { errors = [] } = run;
  if (errors.length === 0 || (isEnded(run) && run.auditCeiling === 'none')) return [];
  const runKey = view ? await undefinedIfUnreadable(() => runKeyOf(app, run)) : undefined;
  return Promise.all(
    errors.map(async (error) => ({
      error,
      words: runKey && (await errorWordsOf(runKey, error)),
    })),
  );
}

import type { Millis } from '../../domain/brand.ts';
import { dueNow, repeatsDue } from '../../domain/obligations.ts';
import type { Run } from '../../domain/run.ts';
import type { Entry } from '../../ports/store.ts';
import type { App } from '../app.ts';
import { faultName } from '../wake-up.ts';

type Row = Entry<Run | undefined>;

/**
 * Rows that became due within this span share their wake-ups: told by the clock and not by their
 * number, so that the next sweep makes the same groups of what is left, under the same names.
 */
const SPAN: Millis = 10_000;
/** A delivery that purges so many, some at once, takes seconds. */
export const MOST = 50;
/** Of one delivery: a purge is some fifteen calls in a row. */
export const PURGES_AT_ONCE = 8;

interface Purge {
  readonly run: Run;
  readonly at: Millis;
}

/** The rows of a page that owe nothing but their purge, in groups, and all others. */
export function purgesApart(
  page: readonly Row[],
  now: Millis,
): { readonly batches: readonly (readonly Purge[])[]; readonly others: readonly Row[] } {
  const groups = new Map<number, Purge[][]>();
  const others: Row[] = [];
  for (const row of page) {
    const purge = purgeOf(row.value, now);
    if (purge === undefined) {
      others.push(row);
      continue;
    }
    const span = Math.floor(purge.at / SPAN);
    const group = groups.get(span) ?? [];
    groups.set(span, group);
    const last = group.at(-1);
    if (last === undefined || last.length === MOST) group.push([purge]);
    else last.push(purge);
  }
  return { batches: [...groups.values()].flat(), others };
}

function purgeOf(run: Run | undefined, now: Millis): Purge | undefined {
  const due = run === undefined ? [] : dueNow(run, now);
  const [only] = due;
  if (run === undefined || only?.kind !== 'purge' || due.length > 1) return undefined;
  return { run, at: only.at };
}

/**
 * One wake-up for a whole group: a call of the queue for each would be the ceiling of what an
 * installation can remove, and cost as much as the run's own wake-up did.
 */
export async function handOverPurges(app: App, batch: readonly Purge[]): Promise<void> {
  const [first, ...rest] = batch;
  if (first === undefined) return;
  const { run, at } = first;
  const repeat = repeatsDue(at, app.clock.now(), app.settings.repeatAfter);
  try {
    await app.queue.enqueue({
      kind: 'purge',
      taskId: run.taskId,
      revision: run.revision,
      at,
      ...(rest.length > 0 && { also: rest.map((each) => each.run.taskId) }),
      ...(repeat > 0 && { repeat }),
    });
  } catch (error) {
    app.log.write('warning', 'wake-up not handed over', {
      task: run.taskId,
      kind: 'purge',
      fault: faultName(error),
    });
  }
}

import type { Run } from '../../domain/run.ts';
import type { App } from '../app.ts';
import { readableRunCodec } from '../records/run-document.ts';
import type { Rights, Seen } from './operator-rights.ts';

/** At most this many rows are read, whatever this operator may see of them. */
const SCAN = 200;
/** So many are named; who sees more has to say more of it. */
const SHOWN = 10;

/** What the beginning of a run's id is made of; shorter ones would name half of the runs. */
export const ID_PREFIX = /^[0-9a-f]{4}[0-9a-f-]{0,32}$/;

/** Runs whose ids begin so, in the order of their ids, up to a limit. One query by id. */
export async function runsByPrefix(
  app: Pick<App, 'store'>,
  prefix: string,
  limit = SHOWN,
): Promise<readonly Run[]> {
  if (!ID_PREFIX.test(prefix)) return [];
  const rows = await app.store.page({
    collection: 'runs',
    codec: readableRunCodec,
    filters: [],
    order: undefined,
    from: { value: prefix, inclusive: true },
    // Ids are hexadecimal: nothing that begins so comes behind it.
    to: { value: `${prefix}g`, inclusive: false },
    limit,
  });
  return rows.flatMap(({ value: run }) =>
    run === undefined || run.status === 'purging' ? [] : [run],
  );
}

export interface FoundRuns {
  readonly runs: readonly Seen[];
  /** There may be others that begin so. */
  readonly more: boolean;
}

/** The same for an operator: runs of agents that this operator has any right on. */
export async function findRuns(app: App, rights: Rights, prefix: string): Promise<FoundRuns> {
  const read = await runsByPrefix(app, prefix, SCAN);
  const seen: Seen[] = [];
  for (const run of read) {
    const may = await rights(run.agent);
    if (may.size > 0) seen.push({ run, may });
  }
  return {
    runs: seen.slice(0, SHOWN),
    more: seen.length > SHOWN || (read.length === SCAN && seen.length < SHOWN),
  };
}

import type { Run } from '../../domain/run.ts';
import type { Cursor, Entry, Query } from '../../ports/store.ts';
import type { App } from '../app.ts';
import { readableRunCodec } from './run-document.ts';

const PAGE = 100;

const everyRun: Query<Run | undefined> = {
  collection: 'runs',
  codec: readableRunCodec,
  filters: [],
  order: undefined,
  limit: PAGE,
};

/**
 * Every run, in the order of its id, page by page: what an operator's command walks over, and can
 * go on with after a stop. A row that can't be read comes as undefined.
 */
export async function* allRuns(
  app: App,
  from?: Cursor,
): AsyncGenerator<readonly Entry<Run | undefined>[]> {
  for (let after = from; ; ) {
    const rows = await app.store.page(everyRun, after);
    yield rows;
    after = rows.at(-1)?.cursor;
    if (rows.length < PAGE) return;
  }
}

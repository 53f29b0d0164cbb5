import { dayOf } from '../../domain/model-use.ts';
import type { App } from '../app.ts';
import { costCodec, COSTS } from '../records/cost-document.ts';
import { tolerantCodec } from '../records/unreadable.ts';

const BATCH = 100;

const readable = tolerantCodec(costCodec);

/** Removes counters whose time is over, some at each sweep. Answers how many. */
export async function removeOldCosts({ clock, settings, store }: App): Promise<number> {
  const page = await store.page({
    collection: COSTS,
    codec: readable,
    filters: [],
    order: { field: 'day', direction: 'asc' },
    to: { value: dayOf(clock.now() - settings.costRetention), inclusive: false },
    limit: BATCH,
  });
  if (page.length === 0) return 0;
  await store.transact(async (tx) => {
    for (const { id } of page) tx.delete({ path: `${COSTS}/${id}`, codec: costCodec });
  });
  return page.length;
}

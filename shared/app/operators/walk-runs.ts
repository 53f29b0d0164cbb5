import type { Run } from '../../domain/run.ts';
import type { Cursor, Entry } from '../../ports/store.ts';
import type { App } from '../app.ts';
import { readableRunCodec } from '../records/run-document.ts';
import { faultName } from '../wake-up.ts';

/** Of one shard; what lies beyond is left to the sweeper, which comes within seconds, too. */
const LOOKED = 5_000;
const PAGE = 100;
const AT_ONCE = 10;

/**
 * Does something to runs of a status, those first that have had it longest. Answers to how many:
 * `act` says whether it did anything. A shard that can't be read is passed over.
 */
export async function walkRuns(
  app: App,
  status: Run['status'],
  act: (run: Run) => Promise<boolean>,
): Promise<number> {
  const { runs: shards } = await app.shards.toRead();
  let done = 0;
  for (let shard = 0; shard < shards; shard += 1) {
    let after: Cursor | undefined;
    let looked = 0;
    do {
      const page = await rowsIn(app, shard, status, after);
      const found = page.flatMap(({ value }) => (value?.status === status ? [value] : []));
      for (let at = 0; at < found.length; at += AT_ONCE) {
        const outcomes = await Promise.all(found.slice(at, at + AT_ONCE).map(act));
        done += outcomes.filter(Boolean).length;
      }
      looked += page.length;
      after = page.length === PAGE ? page.at(-1)?.cursor : undefined;
    } while (after !== undefined && looked < LOOKED);
  }
  return done;
}

async function rowsIn(
  app: App,
  shard: number,
  status: Run['status'],
  after: Cursor | undefined,
): Promise<readonly Entry<Run | undefined>[]> {
  try {
    const filters = [
      { field: 'shard', equals: shard },
      { field: 'status', equals: status },
    ];
    const order = { field: 'statusAt', direction: 'asc' } as const;
    const query = { collection: 'runs', codec: readableRunCodec, filters, order, limit: PAGE };
    return await app.store.page(query, after);
  } catch (error) {
    app.log.write('warning', 'runs not woken up', { status, fault: faultName(error) });
    return [];
  }
}

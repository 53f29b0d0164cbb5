import type { Run } from '../../domain/run.ts';
import type { Cursor, Entry } from '../../ports/store.ts';
import type { App } from '../app.ts';
import { readableRunCodec } from '../records/run-document.ts';

/** What a run may be taken up from. */
export const OPEN = [
  'waiting_for_approval',
  'waiting_for_input',
  'waiting_for_dependency',
  'queued',
  'running',
] as const satisfies readonly Run['status'][];

const PAGE = 100;

/** Every open run, page by page: those that wait first, and of each status the longest first. */
export async function* openRuns(app: App): AsyncGenerator<readonly Run[]> {
  const { runs: shards } = await app.shards.toRead();
  for (const status of OPEN)
    for (let shard = 0; shard < shards; shard += 1) {
      let after: Cursor | undefined;
      do {
        const page: readonly Entry<Run | undefined>[] = await app.store.page(
          {
            collection: 'runs',
            codec: readableRunCodec,
            filters: [
              { field: 'shard', equals: shard },
              { field: 'status', equals: status },
            ],
            order: { field: 'statusAt', direction: 'asc' },
            limit: PAGE,
          },
          after,
        );
        yield page.flatMap(({ value }) => value ?? []);
        after = page.length === PAGE ? page.at(-1)?.cursor : undefined;
      } while (after !== undefined);
    }
}

import type { Run } from '../../domain/run.ts';
import type { Query } from '../../ports/store.ts';
import type { App } from '../app.ts';
import { mergedPage } from '../records/merged-rows.ts';
import { readableRunCodec } from '../records/run-document.ts';

/**
 * Says in the log that an approval has waited for longer than `approvalAge`, for the alert on it
 * (docs/operating.md#approval_waits). Without that setting nothing is read.
 */
export async function reportApprovalAge(app: App): Promise<void> {
  const { approvalAge } = app.settings;
  if (approvalAge === 0) return;
  const { runs: shards } = await app.shards.toRead();
  const queries = Array.from(
    { length: shards },
    (_, shard): Query<Run | undefined> => ({
      collection: 'runs',
      codec: readableRunCodec,
      filters: [
        { field: 'shard', equals: shard },
        { field: 'status', equals: 'waiting_for_approval' },
      ],
      order: { field: 'statusAt', direction: 'asc' },
      limit: 1,
    }),
  );
  const [oldest] = await mergedPage(app.store, queries, 1);
  const run = oldest?.value;
  if (run === undefined) return;
  const waited = app.clock.now() - run.statusAt;
  if (waited <= approvalAge) return;
  const { agent, taskId: task } = run;
  app.log.write('warning', 'approval waits long', { task, agent, milliseconds: waited });
}

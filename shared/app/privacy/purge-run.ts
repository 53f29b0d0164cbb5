import type { NewAudit } from '../../domain/audit.ts';
import type { Millis } from '../../domain/brand.ts';
import { type ContextFiles, dropped } from '../../domain/context-files.ts';
import { dueAt } from '../../domain/files.ts';
import type { Run } from '../../domain/run.ts';
import { purge } from '../../domain/transitions.ts';
import type { Codec, Query } from '../../ports/store.ts';
import type { App } from '../app.ts';
import {
  type ContextDoc,
  contextDoc,
  entryCodec,
  readableViewCodec,
  receiptCodec,
  revisionCodec,
  runDoc,
  viewDoc,
} from '../records/documents.ts';
import {
  decisionCodec,
  pauseCodec,
  pushDoc,
  sendCodec,
  sendDoc,
  signalCodec,
  signalIdCodec,
  stepCodec,
} from '../records/work-documents.ts';
import { webhookDoc } from '../records/webhook-document.ts';
import { changeRun } from '../change/change-run.ts';
import { countRuns } from '../change/count-costs.ts';
import type { Outcome, Reads } from '../change/run-change.ts';
import { pruneFiles } from '../files/prune-files.ts';
import { filesDoc } from '../records/files-document.ts';
import { removeRun } from '../change/create-run.ts';
import { deleteObjects } from '../change/scrub.ts';

/** Documents that one transaction deletes at most. */
const BATCH = 100;

/** `went-on`: it was begun before, and only what was left of it is removed now. */
export type Purged = 'purged' | 'went-on' | 'in-use' | 'unknown';

/**
 * When what only this task had of its context's files is removed from the bucket: before the purge
 * is over, or together with that of other tasks whose retention is over. Nothing serves them by
 * then.
 */
export type FilesPurge = 'at-once' | 'together';

/**
 * Removes a run with all that belongs to it (G9). First, in one transaction, its key, its view and
 * its place in the context: from then on nothing of it can be read, and GetTask says TaskNotFound.
 * The rest goes in batches, and the row last, so a crash at any point leaves a row that the sweeper
 * finds and goes on with. A run in use is not touched, unless `may` says so. `audit`: who does it,
 * if an operator.
 */
export async function purgeRun(
  app: App,
  taskId: string,
  may: (run: Run, now: Millis) => Run | undefined = purge,
  files: FilesPurge = 'at-once',
  audit?: NewAudit,
): Promise<Purged> {
  const { kind, run } = await beginPurge(app, taskId, may, files, audit);
  if (run === undefined) return 'unknown';
  const done = kind === 'changed' ? 'purged' : 'went-on';
  if (run.status !== 'purging') return 'in-use';
  // The plain archive is the only thing that could still be read.
  await deleteObjects(app, run);
  await deleteRows(app, { collection: `tasks/${taskId}/events`, codec: entryCodec });
  await deleteRows(app, { collection: `runs/${taskId}/revisions`, codec: revisionCodec });
  const { pauseGeneration, signals = 0, spent, steps } = run;
  if (steps > 0 || pauseGeneration > 0 || spent.delegations > 0) await deletePayload(app, taskId);
  if (signals > 0) await deleteSignals(app, taskId);
  await deleteWebhooks(app, run);
  await deleteRows(app, {
    collection: 'receipts',
    codec: receiptCodec,
    filters: [{ field: 'taskId', equals: taskId }],
  });
  app.keys.forget(taskId);
  // The row says when: one copy of the packs serves all tasks of the context that go by then.
  if (run.files?.dueAt !== undefined && files === 'together' && run.files.dueAt > app.clock.now())
    return done;
  await pruneFiles(app, run);
  // What its models used is counted, whatever became of it.
  if (run.uncounted !== undefined) await countRuns(app, [taskId]);
  await removeRun(app, taskId);
  app.log.write('info', 'run purged', { task: taskId });
  return done;
}

async function beginPurge(
  app: App,
  taskId: string,
  may: (run: Run, now: Millis) => Run | undefined,
  files: FilesPurge,
  audit: NewAudit | undefined,
): Promise<Outcome> {
  const present = await app.store.get(runDoc(taskId));
  const last = present !== undefined && !(await hasOthers(app, present));
  return changeRun(app, taskId, {
    ...(audit && { audit }),
    read: async (tx, current) => ({
      context: await tx.get(contextDoc(current.scope, current.contextId)),
      left: await filesWithout(tx, current, filesAt(app, files)),
    }),
    decide(current, now, { left }) {
      const next = current.status === 'purging' ? undefined : may(current, now);
      return next && withFilesDue(next, left);
    },
    write(tx, { scope, contextId }, { context, left }) {
      tx.delete(viewDoc(taskId));
      if (left !== undefined && left.tasks.length === 0) tx.delete(filesDoc(scope, contextId));
      else if (left !== undefined) tx.set(filesDoc(scope, contextId), left);
      const kept = context && forgotten(taskId, context);
      // Its name is a hash that a person who knows the caller and the context could look for.
      if (last && kept?.activeTask === null) tx.delete(contextDoc(scope, contextId));
      else if (kept !== undefined && kept !== context) tx.set(contextDoc(scope, contextId), kept);
    },
  });
}

const filesAt = (app: App, files: FilesPurge): Millis =>
  files === 'at-once' ? 0 : app.clock.now() + app.settings.filesPurge;

/** The files of the context without those of a run that goes. */
async function filesWithout(
  tx: Reads,
  { contextId, files, scope, taskId }: Run,
  pruneAt: Millis,
): Promise<ContextFiles | undefined> {
  if (files === undefined) return undefined;
  const present = await tx.get(filesDoc(scope, contextId));
  if (present?.repository !== files.repository) return undefined;
  return dropped(present, [taskId], pruneAt);
}

/** Its row stays until its part of the packs is gone, too. */
function withFilesDue(next: Run, left: ContextFiles | undefined): Run {
  const { files } = next;
  if (files === undefined) return next;
  return { ...next, files: dueAt(files, left?.tasks.length === 0 ? null : left?.pruneAt) };
}

/**
 * Whether the caller has other tasks in the context. One that comes meanwhile is the context's
 * active one when it is looked at in the transaction, or makes the context anew.
 */
async function hasOthers(app: App, { contextId, scope, taskId }: Run): Promise<boolean> {
  const rows = await app.store.page({
    collection: 'tasks',
    codec: readableViewCodec,
    filters: [
      { field: 'scope', equals: scope },
      { field: 'contextId', equals: contextId },
    ],
    order: { field: 'statusAt', direction: 'desc' },
    limit: 2,
  });
  return rows.some(({ id }) => id !== taskId);
}

/** The context without this task: it is neither busy with it nor continues from it. */
function forgotten(taskId: string, context: ContextDoc): ContextDoc {
  const { activeTask, lastCompleted } = context;
  if (activeTask !== taskId && lastCompleted !== taskId) return context;
  return {
    ...context,
    activeTask: activeTask === taskId ? null : activeTask,
    lastCompleted: lastCompleted === taskId ? null : lastCompleted,
  };
}

/** What the run worked with. Most runs have none of it, and cost no look. */
async function deletePayload(app: App, taskId: string): Promise<void> {
  await deleteRows(app, { collection: `runs/${taskId}/steps`, codec: stepCodec });
  await deleteSends(app, taskId);
  await deleteRows(app, { collection: `runs/${taskId}/pauses`, codec: pauseCodec });
  await deleteRows(app, { collection: `runs/${taskId}/decisions`, codec: decisionCodec });
}

async function deleteSignals(app: App, taskId: string): Promise<void> {
  await deleteRows(app, { collection: `runs/${taskId}/signals`, codec: signalCodec });
  await deleteRows(app, { collection: `runs/${taskId}/signalIds`, codec: signalIdCodec });
}

/** Their key went with the run's; here go their rows. */
async function deleteWebhooks(app: App, { taskId, webhooks }: Run): Promise<void> {
  if (webhooks === undefined) return;
  await app.store.transact(async (tx) => {
    for (const id of webhooks.ids) tx.delete(webhookDoc(taskId, id));
  });
}

/** Each with the place where its pushes are known by. */
async function deleteSends(app: App, taskId: string): Promise<void> {
  const collection = `runs/${taskId}/sends`;
  for (;;) {
    const query = { collection, codec: sendCodec, filters: [], order: undefined, limit: BATCH };
    const page = await app.store.page(query);
    if (page.length === 0) return;
    await app.store.transact(async (tx) => {
      for (const { id, value } of page) {
        tx.delete(sendDoc(taskId, id));
        if (value.push !== undefined) tx.delete(pushDoc(value.push));
      }
    });
  }
}

type Rows = Pick<Query<unknown>, 'collection'> & { readonly codec: Codec<unknown> } & Partial<
    Pick<Query<unknown>, 'filters' | 'order' | 'to'>
  >;

async function deleteRows(app: App, rows: Rows): Promise<number> {
  let deleted = 0;
  for (;;) {
    const page = await app.store.page({ filters: [], order: undefined, ...rows, limit: BATCH });
    if (page.length === 0) return deleted;
    await app.store.transact(async (tx) => {
      for (const { id } of page) tx.delete({ path: `${rows.collection}/${id}`, codec: rows.codec });
    });
    deleted += page.length;
  }
}

/** Receipts whose time is over answer no retry any more. Answers how many were removed. */
export async function purgeReceipts(app: App): Promise<number> {
  let deleted = 0;
  const { runs } = await app.shards.toRead();
  for (let shard = 0; shard < runs; shard += 1) {
    deleted += await deleteRows(app, {
      collection: 'receipts',
      codec: receiptCodec,
      filters: [{ field: 'shard', equals: shard }],
      order: { field: 'expiresAt', direction: 'asc' },
      to: { value: app.clock.now(), inclusive: true },
    });
  }
  return deleted;
}

import type { Ended, Failed, Run } from '../../domain/run.ts';
import type { Decoder, ReadDoc, Transaction } from '../../ports/store.ts';
import type { App } from '../app.ts';
import {
  type ContextDoc,
  contextDoc,
  runDoc,
  SCHEMA_VERSION,
  viewDoc,
} from '../records/documents.ts';
import { type ProjectionDocs, writeDocs } from './projection.ts';
import { writableRun } from './writable-run.ts';

/**
 * Which commit wrote the row at that place; also of one that can't be read, which is there all the
 * same.
 */
const there = (path: string): ReadDoc<string> => ({ path, codec: written });
const written: Decoder<string> = {
  decode: ({ commitId }) => (typeof commitId === 'string' ? commitId : ''),
};

/** Which of these tasks have a row of a run, or a view: those are never adopted. */
export async function presentTasks(
  app: App,
  taskIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const places = taskIds.flatMap((id) => [there(runDoc(id).path), there(viewDoc(id).path)]);
  const found = await app.store.getAll(places);
  return new Set(taskIds.filter((_, at) => found[2 * at] ?? found[2 * at + 1]));
}

/**
 * Takes over a run that was made elsewhere and has ended: its row, its view with the entry of its
 * end, and its place in the context, in one commit. False: the database has that task already, and
 * nothing changed. Throws Unreadable, Unavailable, Contention, TooLarge.
 */
export async function adoptRun(
  app: App,
  run: Ended | Failed,
  docs: ProjectionDocs,
): Promise<boolean> {
  return app.store.transact(async (tx) => {
    const row = await tx.get(there(runDoc(run.taskId).path));
    if (row !== undefined) return row === run.commitId;
    if ((await tx.get(there(viewDoc(run.taskId).path))) !== undefined) return false;
    const context = await contextWith(tx, run);
    tx.create(writableRun(run.taskId), run);
    writeDocs(tx, docs);
    tx.set(contextDoc(run.scope, run.contextId), context);
    return true;
  });
}

/** Of a context's completed tasks the newest is the last, in whatever order they come. */
async function contextWith(
  tx: Pick<Transaction, 'get'>,
  { contextId, scope, status, statusAt, taskId }: Run,
): Promise<ContextDoc> {
  const present = await tx.get(contextDoc(scope, contextId));
  const {
    activeTask = null,
    lastCompleted = null,
    updatedAt = statusAt,
    ...rest
  } = present ?? { v: SCHEMA_VERSION, scope };
  const last = lastCompleted === null ? undefined : await tx.get(viewDoc(lastCompleted));
  const newest = status === 'completed' && (last === undefined || last.statusAt <= statusAt);
  return { ...rest, activeTask, lastCompleted: newest ? taskId : lastCompleted, updatedAt };
}

import type { Cursor } from '../../ports/store.ts';
import { allRuns } from '../records/all-runs.ts';
import type { App } from '../app.ts';
import { runDoc, viewDoc } from '../records/documents.ts';
import { faultName } from '../wake-up.ts';

export interface Rewrapped {
  readonly seen: number;
  readonly rewrapped: number;
  readonly unreadable: number;
  /** The last row that was looked at: where to go on after an interruption. */
  readonly cursor: Cursor | undefined;
}

/**
 * After a rotation: wraps the data key of every run with the newest key, on the row and on the view together. Content stays as it
 * is. Can be interrupted and begun again anywhere: what is wrapped already costs a look. A row that changes meanwhile is tried
 * again; one whose key can't be opened is counted, and left.
 */
export async function rewrapKeys(
  app: App,
  progress: (so: Rewrapped) => void = () => undefined,
  from?: Cursor,
): Promise<Rewrapped> {
  let so: Rewrapped = { seen: 0, rewrapped: 0, unreadable: 0, cursor: from };
  for await (const rows of allRuns(app, from)) {
    for (const { value, cursor } of rows) {
      const outcome = value === undefined ? 'unreadable' : await rewrapRun(app, value.taskId);
      so = {
        seen: so.seen + 1,
        rewrapped: so.rewrapped + (outcome === 'rewrapped' ? 1 : 0),
        unreadable: so.unreadable + (outcome === 'unreadable' ? 1 : 0),
        cursor,
      };
    }
    progress(so);
  }
  return so;
}

async function rewrapRun(
  app: App,
  taskId: string,
): Promise<'rewrapped' | 'current' | 'unreadable'> {
  for (;;) {
    const run = await app.store.get(runDoc(taskId));
    if (run === undefined || run.status === 'purging') return 'current';
    let wrapped: Uint8Array | undefined;
    try {
      wrapped = await app.sealer.rewrap(run.wrappedKey);
    } catch (error) {
      app.log.write('error', 'key not rewrapped', { task: taskId, fault: faultName(error) });
      return 'unreadable';
    }
    if (wrapped === undefined) return 'current';
    if (await replaceKey(app, taskId, run.wrappedKey, wrapped)) return 'rewrapped';
  }
}

/** False: the run got another key meanwhile. */
function replaceKey(app: App, taskId: string, from: Uint8Array, to: Uint8Array): Promise<boolean> {
  return app.store.transact(async (tx) => {
    const [run, view] = [await tx.get(runDoc(taskId)), await tx.get(viewDoc(taskId))];
    if (run === undefined) return true;
    if (Buffer.compare(run.wrappedKey, to) === 0) return true;
    if (Buffer.compare(run.wrappedKey, from) !== 0) return false;
    tx.set(runDoc(taskId), { ...run, wrappedKey: to });
    if (view !== undefined) tx.set(viewDoc(taskId), { ...view, wrappedKey: to });
    return true;
  });
}

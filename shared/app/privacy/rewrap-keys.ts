import type { Run } from '../../domain/run.ts';
import type { Rewrapping } from '../../ports/sealer.ts';
import type { Cursor } from '../../ports/store.ts';
import { allRuns } from '../records/all-runs.ts';
import type { App } from '../app.ts';
import { changeRun } from '../change/change-run.ts';
import { runDoc, viewDoc } from '../records/documents.ts';
import { INSTALLATION, keyOwner } from '../key-ring.ts';
import { type AuditKeyDoc, auditKeyDoc } from '../records/audit-document.ts';
import { faultName } from '../wake-up.ts';

export interface Rewrapped {
  readonly seen: number;
  readonly rewrapped: number;
  /** The key service still wraps with an older key than it should: to be done again later. */
  readonly old: number;
  /** Their keys did not open, for now or for good: the log says why. */
  readonly unreadable: number;
  /** The last row that was looked at: where to go on after an interruption. */
  readonly cursor: Cursor | undefined;
}

export interface RewrapOptions {
  readonly progress?: (so: Rewrapped) => void;
  readonly from?: Cursor | undefined;
  /** The version of the key that is wanted at least, where the key service numbers them. */
  readonly atLeast?: number | undefined;
}

type Outcome = 'rewrapped' | 'current' | 'old' | 'unreadable';

/**
 * After a rotation: wraps the data key of every run with the newest key, on the row and on the view
 * together. Content stays as it is. Can be interrupted and begun again anywhere: what is wrapped
 * already costs a look. A row that changes meanwhile is tried again; one whose key can't be opened
 * is counted, and left. All is done when a walk has rewrapped nothing, and left nothing.
 */
export async function rewrapKeys(app: App, options: RewrapOptions = {}): Promise<Rewrapped> {
  const { atLeast, from, progress } = options;
  let so: Rewrapped = { seen: 0, rewrapped: 0, old: 0, unreadable: 0, cursor: from };
  const ofAudit = await rewrapAuditKey(app, atLeast);
  if (ofAudit !== 'current') so = { ...so, [ofAudit]: 1 };
  for await (const rows of allRuns(app, from)) {
    for (const { value, cursor } of rows) {
      const outcome =
        value === undefined ? 'unreadable' : await rewrapRun(app, value.taskId, atLeast);
      const counted = outcome === 'current' ? {} : { [outcome]: so[outcome] + 1 };
      so = { ...so, ...counted, seen: so.seen + 1, cursor };
    }
    progress?.(so);
  }
  return so;
}

async function rewrapRun(app: App, taskId: string, atLeast: number | undefined): Promise<Outcome> {
  for (;;) {
    const run = await app.store.get(runDoc(taskId));
    if (run === undefined || run.status === 'purging') return 'current';
    let rewrapping: Rewrapping;
    try {
      rewrapping = await app.sealer.rewrap(run.wrappedKey, keyOwner(taskId), atLeast);
    } catch (error) {
      app.log.write('error', 'key not rewrapped', { task: taskId, fault: faultName(error) });
      return 'unreadable';
    }
    if (rewrapping.kind !== 'rewrapped') return rewrapping.kind;
    if (await replaceKey(app, run, rewrapping.wrapped)) return 'rewrapped';
  }
}

/** The key of the audit record, which no run has. */
async function rewrapAuditKey(app: App, atLeast: number | undefined): Promise<Outcome> {
  for (;;) {
    const known = await app.store.get(auditKeyDoc);
    if (known === undefined) return 'current';
    let rewrapping: Rewrapping;
    try {
      rewrapping = await app.sealer.rewrap(known.wrappedKey, keyOwner(INSTALLATION), atLeast);
    } catch (error) {
      app.log.write('error', 'key not rewrapped', { task: INSTALLATION, fault: faultName(error) });
      return 'unreadable';
    }
    if (rewrapping.kind !== 'rewrapped') return rewrapping.kind;
    const { wrapped } = rewrapping;
    const same = (doc: AuditKeyDoc | undefined, key: Uint8Array): boolean =>
      doc !== undefined && Buffer.compare(doc.wrappedKey, key) === 0;
    const replaced = await app.store.transact(async (tx) => {
      const current = await tx.get(auditKeyDoc);
      if (same(current, known.wrappedKey)) tx.set(auditKeyDoc, { ...known, wrappedKey: wrapped });
      // Another try of this commit may have been applied.
      return same(current, known.wrappedKey) || same(current, wrapped);
    });
    if (replaced) return 'rewrapped';
  }
}

/** False: the run got another key meanwhile, or is gone. */
async function replaceKey(app: App, { taskId, wrappedKey }: Run, to: Uint8Array): Promise<boolean> {
  const outcome = await changeRun(app, taskId, {
    read: async (tx) => ({ view: await tx.get(viewDoc(taskId)) }),
    decide: (run) =>
      Buffer.compare(run.wrappedKey, wrappedKey) === 0 ? { ...run, wrappedKey: to } : undefined,
    write(tx, _next, { view }) {
      if (view !== undefined) tx.set(viewDoc(taskId), { ...view, wrappedKey: to });
    },
  });
  return outcome.kind === 'changed';
}

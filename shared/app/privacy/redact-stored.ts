import type { NewAudit } from '../../domain/audit.ts';
import type { Tightening } from '../../domain/ceiling.ts';
import type { Run } from '../../domain/run.ts';
import { isActive, rekeyed, tighten } from '../../domain/transitions.ts';
import type { App } from '../app.ts';
import { resealWork } from '../content/reseal.ts';
import { changeRun } from '../change/change-run.ts';
import { type InputDoc, inputDoc, viewDoc } from '../records/documents.ts';
import { loadInput } from './load-input.ts';
import { newRunKey, type SealingKey, runKeyOf } from '../content/sealing-key.ts';
import { projectRun } from '../change/project-run.ts';
import { scrubbedView } from '../change/scrub.ts';
import { prepareInput } from '../content/segment-input.ts';
import { unsealTask, packSnapshot } from '../content/snapshot.ts';
import { snapshotOf } from '../content/snapshot-of.ts';

/**
 * What a run holds becomes redacted under a new key; the text as it was goes with the old key, in
 * the view and in every journal entry and revision before. False: the run moved meanwhile, nothing
 * changed.
 */
export async function redactStored(
  app: App,
  run: Run,
  wanted: Tightening,
  audit?: NewAudit,
): Promise<boolean> {
  const view = await projectRun(app, run.taskId);
  if (view === undefined || view.projectedRevision !== run.revision) return false;
  // Redacted by another process already, under another key.
  if (view.scrubbedRevision !== run.scrubbedRevision) return false;
  const before = await runKeyOf(app, run);
  const { runKey, wrapped } = await newRunKey(app, run);
  const snapshot = await snapshotOf(app, runKey, await unsealTask(app, before, view), true);
  const packed = await packSnapshot(app, runKey, [], snapshot);
  const input = await inputAsItCame(app, before, runKey, run);
  const outcome = await changeRun(app, run.taskId, {
    ...(audit && { audit }),
    read: async (tx) => ({ present: await tx.get(viewDoc(run.taskId)) }),
    decide(current, _now, { present }) {
      const tightened = tighten(current, wanted);
      const same =
        current.revision === run.revision &&
        current.scrubbedRevision === run.scrubbedRevision &&
        present?.projectedRevision === view.projectedRevision;
      if (tightened?.consequence !== 'redact' || !same) return undefined;
      return {
        ...rekeyed(tightened.next, current, wrapped),
        ...resealWork(app, tightened.next, before, runKey),
        hasInput: input !== undefined,
      };
    },
    write(tx, next, { present = view }) {
      tx.set(viewDoc(run.taskId), scrubbedView(app, next, present, { ...packed, runKey }));
      if (input !== undefined) tx.set(inputDoc(run.taskId), input);
    },
  });
  if (outcome.kind === 'changed') await projectRun(app, run.taskId);
  return outcome.kind === 'changed';
}

/** A segment that is under way, or to come, still works on what the client really wrote. */
async function inputAsItCame(
  app: App,
  before: SealingKey,
  after: SealingKey,
  run: Run,
): Promise<InputDoc | undefined> {
  // A run that asked waits for another message; any other goes on with this one.
  if (!isActive(run) || run.status === 'waiting_for_input') return undefined;
  return prepareInput(app, after, await loadInput(app, before, run));
}

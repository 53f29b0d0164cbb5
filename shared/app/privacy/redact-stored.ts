import type { Tightening } from '../../domain/ceiling.ts';
import type { ArtifactItem, Item } from '../../domain/item.ts';
import type { Part } from '../../domain/message.ts';
import type { Run } from '../../domain/run.ts';
import { ownMetadata, type StoredSnapshot } from '../../domain/task.ts';
import { isActive, rekeyed, tighten } from '../../domain/transitions.ts';
import type { App } from '../app.ts';
import { resealWork } from '../content/reseal.ts';
import { changeRun } from '../change/change-run.ts';
import { storeItems } from '../content/content.ts';
import { type InputDoc, inputDoc, type ViewDoc, viewDoc } from '../records/documents.ts';
import { loadInput } from './load-input.ts';
import { newRunKey, type SealingKey, runKeyOf } from '../content/sealing-key.ts';
import { projectRun } from '../change/project-run.ts';
import { redactItems } from '../content/redact-items.ts';
import { scrubbedView } from '../change/scrub.ts';
import { prepareInput } from '../content/segment-input.ts';
import { unsealTask, packSnapshot } from '../content/snapshot.ts';

/**
 * What a run holds becomes redacted under a new key; the text as it was goes with the old key, in
 * the view and in every journal entry and revision before. False: the run moved meanwhile, nothing
 * changed.
 */
export async function redactStored(app: App, run: Run, wanted: Tightening): Promise<boolean> {
  const view = await projectRun(app, run.taskId);
  if (view === undefined || view.projectedRevision !== run.revision) return false;
  // Redacted by another process already, under another key.
  if (view.scrubbedRevision !== run.scrubbedRevision) return false;
  const before = await runKeyOf(app, run);
  const { runKey, wrapped } = await newRunKey(app, run);
  const snapshot = await redactedSnapshot(app, before, runKey, view);
  const packed = await packSnapshot(app, runKey, [], snapshot);
  const input = await inputAsItCame(app, before, runKey, run);
  const outcome = await changeRun(app, run.taskId, {
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
        ...resealWork(app, current, before, runKey),
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

async function redactedSnapshot(
  app: App,
  before: SealingKey,
  after: SealingKey,
  view: ViewDoc,
): Promise<StoredSnapshot> {
  const task = await unsealTask(app, before, view);
  const said = task.status.message;
  const { metadata = {} } = task;
  const items: Item[] = [
    {
      kind: 'status',
      state: view.state,
      at: view.statusAt,
      metadata: ownMetadata(metadata, false),
    },
    ...task.history.map((message): Item => ({ kind: 'message', message })),
    ...task.artifacts.map(
      (artifact): Item => ({ kind: 'artifact', artifact, append: false, lastChunk: true }),
    ),
    ...(said === undefined ? [] : [{ kind: 'message', message: said } as const]),
  ];
  const stored = await storeItems(app, after, await redactItems(app.redactor, items));
  const messages = stored.flatMap((item) => (item.kind === 'message' ? [item.message] : []));
  const status = said === undefined ? undefined : messages.pop();
  const [first] = stored;
  const theirs = first?.kind === 'status' ? first.metadata : undefined;
  return {
    status: { state: view.state, at: view.statusAt, ...(status && { message: status }) },
    history: messages,
    artifacts: stored.filter((item): item is ArtifactItem<Part> => item.kind === 'artifact'),
    ...(task.metadata && { metadata: { ...theirs, ...ownMetadata(metadata, true) } }),
  };
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

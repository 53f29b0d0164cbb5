import type { Run } from '../../domain/run.ts';
import type { ToolCall } from '../../domain/step.ts';
import { Unreadable } from '../../ports/faults.ts';
import type { HeldCall, PauseRequest } from '../agents.ts';
import type { App } from '../app.ts';
import { unsealCheckpoint } from './checkpoint.ts';
import { loadItem } from './content.ts';
import { unsealRevision } from './publication.ts';
import { readRevisions } from './revisions.ts';
import { pauseDoc, stepDoc } from '../records/work-documents.ts';
import { workKeyOf } from './work-key.ts';
import { SCHEMA_MEDIA_TYPE } from './pause-parts.ts';
import { runKeyOf } from './sealing-key.ts';
import { unsealStep } from './step-content.ts';

/**
 * What a run that waits for a person asks, or asked in the pause of that generation. Throws
 * Unreadable, Unavailable.
 */
export async function readPause(
  app: App,
  run: Run,
  generation = run.pauseGeneration,
): Promise<PauseRequest> {
  const at = pauseDoc(run.taskId, generation);
  const doc = await app.store.get(at);
  // Asked before there were checkpoints.
  if (doc === undefined) return publishedQuestion(app, run);
  const { key: workKey } = await workKeyOf(app, run);
  const { pause } = await unsealCheckpoint(app, workKey, doc);
  if (pause === undefined) throw new Unreadable(at.path);
  return pause;
}

/** While a run waits nothing else is published, so its newest revision is the one that asked. */
async function publishedQuestion(app: App, run: Run): Promise<PauseRequest> {
  const { revision: newest, taskId } = run;
  if (run.status !== 'waiting_for_input') throw new Unreadable(`pause of ${taskId}`);
  const [asked] = await readRevisions(app, taskId, { from: newest, to: newest });
  if (asked === undefined) throw new Unreadable(`pause of ${taskId}`);
  const runKey = await runKeyOf(app, run);
  const last = (await unsealRevision(app, runKey, asked)).at(-1);
  const said = last && (await loadItem(app, runKey, last));
  const parts = said?.kind === 'status' ? (said.message?.parts ?? []) : [];
  const found = parts.find((part) => 'data' in part && part.mediaType === SCHEMA_MEDIA_TYPE);
  const words = parts.filter((part) => part !== found);
  return {
    kind: 'input',
    words,
    ...(found !== undefined && 'data' in found && { schema: found.data }),
  };
}

/**
 * A held call as its decider must see it: with its arguments. It is never shown to a caller (G4).
 */
export interface ShownCall extends HeldCall {
  readonly arguments?: ToolCall['arguments'];
}

/**
 * The calls that an approval is about, in their order: for operators with the right `view` only.
 * Their arguments are in the turn that is held, which is the newest of the transcript. Throws
 * Unreadable, Unavailable.
 */
export async function heldCalls(
  app: App,
  run: Run,
  request: PauseRequest,
): Promise<readonly ShownCall[]> {
  if (request.kind !== 'approval') return [];
  const calls = new Map((await newestTurn(app, run)).map((call) => [call.id, call]));
  return request.calls.map((call) => {
    const asked = calls.get(call.id);
    return asked === undefined ? call : { ...call, arguments: asked.arguments };
  });
}

/** From the end: what follows a turn that is held is a decision at most. */
async function newestTurn(app: App, run: Run): Promise<readonly ToolCall[]> {
  if (run.steps === 0) return [];
  const { key: workKey } = await workKeyOf(app, run);
  for (let at = run.steps; at > 0; at -= 1) {
    const doc = await app.store.get(stepDoc(run.taskId, at));
    if (doc === undefined) throw new Unreadable(`steps of ${run.taskId}`);
    if (doc.kind !== 'turn') continue;
    const step = await unsealStep(app, workKey, doc);
    return step.kind === 'turn' ? step.calls : [];
  }
  return [];
}

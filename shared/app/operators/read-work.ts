import type { Json } from '../../domain/json.ts';
import type { Part } from '../../domain/message.ts';
import type { Run } from '../../domain/run.ts';
import type { Turn } from '../../domain/step.ts';
import { mapParts, partToJson } from '../../domain/stored-content.ts';
import type { App } from '../app.ts';
import { unsealCheckpoint } from '../content/checkpoint.ts';
import type { SealedFields } from '../content/content.ts';
import { unsealDecision } from '../decisions/decision-record.ts';
import { undefinedIfUnreadable } from '../records/unreadable.ts';
import { unsealSignal } from '../signals/signal-content.ts';
import type {
  DecisionDoc,
  PauseDoc,
  SendDoc,
  SignalDoc,
  StepDoc,
} from '../records/work-documents.ts';
import { runKeyOf, type SealingKey } from '../content/sealing-key.ts';
import { trailKeysOf } from '../content/trail-key.ts';
import { workKeyOf } from '../content/work-key.ts';
import { unsealSend } from '../delegation/sends.ts';
import { unsealStep } from '../content/step-content.ts';

/** At most this much content is unsealed for one view of a run; the rest is kept, and not shown. */
const BYTES = 4 * 1024 * 1024;

/**
 * Unseals a run's work for one operator's view. What is unreadable, or too much, has no content.
 */
export interface WorkReader {
  step(doc: StepDoc): Promise<Json | undefined>;
  send(doc: SendDoc): Promise<Json | undefined>;
  pause(doc: PauseDoc): Promise<Json | undefined>;
  decision(doc: DecisionDoc): Promise<Json | undefined>;
  signal(doc: SignalDoc): Promise<Json | undefined>;
}

/** For readers who may not see content, and for runs whose work is not kept in full. */
const CLOSED: WorkReader = {
  step: () => Promise.resolve(undefined),
  send: () => Promise.resolve(undefined),
  pause: () => Promise.resolve(undefined),
  decision: () => Promise.resolve(undefined),
  signal: () => Promise.resolve(undefined),
};

export async function workReader(app: App, run: Run, view: boolean): Promise<WorkReader> {
  const runKey = view ? await undefinedIfUnreadable(() => keyOf(app, run)) : undefined;
  if (runKey === undefined) return CLOSED;
  let left = BYTES;
  const within = async (
    doc: SealedFields,
    unseal: () => Promise<Json>,
  ): Promise<Json | undefined> => {
    const known = doc.content.byteLength;
    left -= known;
    if (left < 0) return undefined;
    const content = await undefinedIfUnreadable(unseal);
    // What lies in objects of its own.
    if (content !== undefined) left -= Math.max(0, JSON.stringify(content).length - known);
    return left < 0 ? undefined : content;
  };
  return {
    step: (doc) =>
      within(doc, async () => {
        const step = await unsealStep(app, runKey, doc);
        if (step.kind === 'turn') return withoutState(step);
        if (step.kind === 'summary') return step as unknown as Json;
        if (step.kind === 'result') {
          const { parts, ...rest } = step;
          return parts === undefined ? rest : { ...rest, parts: partsJson(parts) };
        }
        if (step.kind !== 'answer') return step;
        return { ...step, message: mapParts(step.message, partToJson) } as unknown as Json;
      }),
    send: (doc) => within(doc, async () => partsJson(await unsealSend(app, runKey, doc))),
    pause: (doc) =>
      within(doc, async () => {
        const { dependency, pause } = await unsealCheckpoint(app, runKey, doc);
        if (pause !== undefined)
          return { ...pause, words: partsJson(pause.words) } as unknown as Json;
        return { operation: dependency?.operation ?? null } as unknown as Json;
      }),
    decision: (doc) => within(doc, async () => ({ ...(await unsealDecision(app, runKey, doc)) })),
    signal: (doc) =>
      within(doc, async () => {
        const { data, operator } = await unsealSignal(app, runKey, doc);
        return { data, ...(operator !== undefined && { operator }) };
      }),
  };
}

/** Of a run that is open; of one that has ended while its trail has everything. */
async function keyOf(app: App, run: Run): Promise<SealingKey | undefined> {
  const { payloadKey, trail } = run;
  if (payloadKey !== undefined) return (await workKeyOf(app, run)).key;
  return trail?.level === 'full'
    ? trailKeysOf(run, await runKeyOf(app, run), trail)?.full
    : undefined;
}

/** Only its provider can read what it wants back. */
function withoutState({ state, ...turn }: Turn): Json {
  return { ...turn, ...(state !== undefined && { state: true }) } as unknown as Json;
}

export function partsJson(parts: readonly Part[]): readonly Json[] {
  return parts.map(partToJson);
}

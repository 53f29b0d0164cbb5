import { z } from 'zod';
import type { Decision, DecisionReceipt } from '../../domain/decision.ts';
import { canonicalJson, type Json, type JsonObject } from '../../domain/json.ts';
import { timestamp } from '../../domain/proto-json.ts';
import type { Run } from '../../domain/run.ts';
import type { DeciderKind } from '../../domain/step.ts';
import { Unreadable } from '../../ports/faults.ts';
import type { App } from '../app.ts';
import { boundDecision } from '../content/bindings.ts';
import type { Keys, Write } from '../change/run-change.ts';
import { unsealFields, pack, sealFields } from '../content/content.ts';
import { actorOf, type Decider } from './decider.ts';
import { SCHEMA_VERSION } from '../records/documents.ts';
import { type DecisionDoc, decisionDoc } from '../records/work-documents.ts';
import type { SealingKey } from '../content/sealing-key.ts';

/** What a decision's document keeps sealed: who decided, what was put in, and why it was denied. */
export interface Decided {
  readonly actor: string;
  readonly input?: Json;
  readonly note?: string;
}

const schema = z.object({
  actor: z.string(),
  input: (z.json() as z.ZodType<Json>).exactOptional(),
  note: z.string().exactOptional(),
});

export interface NewDecision {
  readonly decider: Decider;
  readonly decision: Decision;
  readonly mode: DecisionDoc['mode'];
  readonly receipt: DecisionReceipt;
}

/**
 * The write of a decision: stored for a worker to carry out, or carried out by the one who writes
 * it.
 */
export async function prepareDecision(
  app: App,
  { workKey, runKey }: Keys,
  { decider, decision, mode, receipt }: NewDecision,
): Promise<Write> {
  const { generation, id, kind, time } = receipt;
  const at = decisionDoc(workKey.taskId, generation);
  const content = { actor: actorOf(decider), ...given(decision) };
  const clear = { id, generation, kind, by: decider.kind, mode, storedAt: time };
  const packed = await pack(app, workKey, content);
  const sealed = sealFields(app, workKey, at.path, packed, boundDecision(clear));
  const direct = mode === 'direct';
  return (tx, next) =>
    tx.create(at, {
      v: SCHEMA_VERSION,
      ...clear,
      state: direct ? 'consumed' : 'stored',
      revision: next.revision,
      fingerprint: fingerprintOf(runKey, decider, decision),
      settledAt: direct ? time : null,
      ...sealed,
    });
}

/** Also proves kind, decider and generation, which stand in clear. Throws Unreadable. */
export async function unsealDecision(
  app: App,
  workKey: SealingKey,
  doc: DecisionDoc,
): Promise<Decided> {
  const { path } = decisionDoc(workKey.taskId, doc.generation);
  const parsed = schema.safeParse(await unsealFields(app, workKey, path, doc, boundDecision(doc)));
  if (!parsed.success) throw new Unreadable(path, parsed.error);
  return parsed.data;
}

/** Equal only for the same decision of the same decider; reveals nothing without the run's key. */
export function fingerprintOf(runKey: SealingKey, decider: Decider, decision: Decision): string {
  const { kind, pauseGeneration: generation } = decision;
  const who = { by: decider.kind satisfies DeciderKind, actor: actorOf(decider) };
  const what: JsonObject = { ...who, kind, generation, ...given(decision) };
  return runKey.keys.mac('decisions', canonicalJson(what)).toString('base64url');
}

const given = ({ input, note }: Decision): { readonly input?: Json; readonly note?: string } => ({
  ...(input !== undefined && { input }),
  ...(note !== undefined && { note }),
});

export function receiptOfDecision(taskId: string, doc: DecisionDoc): DecisionReceipt {
  const { generation, id, kind, storedAt: time } = doc;
  return { id, run: taskId, generation, kind, time };
}

/** A receipt as the task's metadata show it. */
export function shownReceipt(receipt: DecisionReceipt, refused = false): JsonObject {
  return { ...receipt, time: timestamp(receipt.time), ...(refused && { refused }) };
}

export type DecisionFate = DecisionDoc['state'] | 'void';

/**
 * What became of a decision. A run that ended or went before a worker took it in has no use for it:
 * nothing is written for that, because the row says it already, and its content can't be read any
 * more.
 */
export function fateOf(run: Run, { generation, state }: DecisionDoc): DecisionFate {
  const { continuation } = run;
  const stands = continuation?.kind === 'decision' && continuation.generation === generation;
  return state === 'stored' && !stands ? 'void' : state;
}

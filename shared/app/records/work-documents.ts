import { z } from 'zod';
import { compositeKey } from '../../domain/digest.ts';
import type { Doc } from '../../ports/store.ts';
import { bytes, codec, pad, SCHEMA_VERSION } from './documents.ts';

/**
 * A run's work, which no caller sees; sealed with its work key, which is destroyed when the run
 * ends.
 */
const sealed = { content: bytes };

const stepSchema = z.object({
  v: z.literal(SCHEMA_VERSION),
  step: z.number(),
  kind: z.string(),
  at: z.number(),
  fence: z.number(),
  /**
   * What is known of it without its words, and, where those may be kept, its words as they are
   * redacted: for after the end, each sealed with a key that follows from the work key.
   */
  facts: bytes.exactOptional(),
  redacted: bytes.exactOptional(),
  ...sealed,
});
/** One committed step of the transcript. Immutable. */
export type StepDoc = z.infer<typeof stepSchema>;

const sendSchema = z.object({
  v: z.literal(SCHEMA_VERSION),
  /** Its id, too. */
  messageId: z.string(),
  owner: z.string(),
  remote: z.string(),
  /** Of the call that it is for, and of the context that it opened at the remote: no content. */
  callId: z.string(),
  contextId: z.string(),
  /** SHA-256 of the request (G14). */
  digest: z.string(),
  state: z.string(),
  /** Why, in a word, for an operator: `timeout`, `http 502`. */
  reason: z.string().nullable(),
  fence: z.number(),
  preparedAt: z.number(),
  settledAt: z.number().nullable(),
  /** The send that this one was made in place of, and the one in place of this. */
  replaces: z.string().nullable(),
  replacedBy: z.string().nullable(),
  /** When CancelTask was begun, and how it was answered. */
  cancelledAt: z.number().nullable(),
  cancelled: z.string().nullable(),
  /**
   * What the remote answered to a worker that had lost the run by then; sealed as the content is.
   */
  operation: bytes.exactOptional(),
  /** Where its pushes are known by. */
  push: z.string().exactOptional(),
  ...sealed,
});
/** A message to a remote agent, committed before it leaves. */
export type SendDoc = z.infer<typeof sendSchema>;

const pushSchema = z.object({
  v: z.literal(SCHEMA_VERSION),
  taskId: z.string(),
  messageId: z.string(),
});
/** Which send a push is about. */
export type PushDoc = z.infer<typeof pushSchema>;

const pauseSchema = z.object({
  v: z.literal(SCHEMA_VERSION),
  generation: z.number(),
  kind: z.enum(['approval', 'input', 'dependency']),
  at: z.number(),
  sendId: z.string().nullable(),
  /** How a dependency came out, and when. */
  resolution: z.string().nullable(),
  resolvedAt: z.number().nullable(),
  ...sealed,
});
/** The checkpoint of a suspension. */
export type PauseDoc = z.infer<typeof pauseSchema>;

const decisionSchema = z.object({
  v: z.literal(SCHEMA_VERSION),
  id: z.string(),
  generation: z.number(),
  kind: z.enum(['approve', 'deny', 'input']),
  by: z.enum(['owner', 'operator']),
  mode: z.enum(['stored', 'direct']),
  /** `stored` of a run that does not go on with it any more is void: see `fateOf`. */
  state: z.enum(['stored', 'consumed', 'refused']),
  /** The revision that took it. */
  revision: z.number(),
  /**
   * Of decider and decision, by the run's own key: a repeated decision is recognised by it, also
   * when its content is gone.
   */
  fingerprint: z.string(),
  storedAt: z.number(),
  settledAt: z.number().nullable(),
  ...sealed,
});
/** What a person decided about a pause; one for each (G18). */
export type DecisionDoc = z.infer<typeof decisionSchema>;

const signalSchema = z.object({
  v: z.literal(SCHEMA_VERSION),
  number: z.number(),
  name: z.string(),
  at: z.number(),
  by: z.enum(['owner', 'operator']),
  ...sealed,
});
/** An event that was delivered to a run. Immutable. */
export type SignalDoc = z.infer<typeof signalSchema>;

const signalIdSchema = z.object({
  v: z.literal(SCHEMA_VERSION),
  number: z.number(),
  at: z.number(),
  /** Of its name and data, by the work key: it says nothing without that. */
  digest: z.string(),
});
/** Which one was delivered under an id. */
export type SignalIdDoc = z.infer<typeof signalIdSchema>;

export const stepCodec = codec<StepDoc>(stepSchema);
export const sendCodec = codec<SendDoc>(sendSchema);
export const pushCodec = codec<PushDoc>(pushSchema);
export const pauseCodec = codec<PauseDoc>(pauseSchema);
export const decisionCodec = codec<DecisionDoc>(decisionSchema);
export const signalCodec = codec<SignalDoc>(signalSchema);
export const signalIdCodec = codec<SignalIdDoc>(signalIdSchema);

export const stepDoc = (taskId: string, step: number): Doc<StepDoc> => ({
  path: `runs/${taskId}/steps/${pad(step)}`,
  codec: stepCodec,
});
/** Below its run, so below its owner: one id of one owner is one document (G14). */
export const sendDoc = (taskId: string, messageId: string): Doc<SendDoc> => ({
  path: `runs/${taskId}/sends/${messageId}`,
  codec: sendCodec,
});
/**
 * Its id is the hash of the token: a caller that knows one was told it, and no task is named to a
 * remote.
 */
export const pushDoc = (id: string): Doc<PushDoc> => ({ path: `pushes/${id}`, codec: pushCodec });
export const pauseDoc = (taskId: string, generation: number): Doc<PauseDoc> => ({
  path: `runs/${taskId}/pauses/${pad(generation)}`,
  codec: pauseCodec,
});
export const decisionDoc = (taskId: string, generation: number): Doc<DecisionDoc> => ({
  path: `runs/${taskId}/decisions/${pad(generation)}`,
  codec: decisionCodec,
});
export const signalDoc = (taskId: string, number: number): Doc<SignalDoc> => ({
  path: `runs/${taskId}/signals/${pad(number)}`,
  codec: signalCodec,
});
export const signalIdDoc = (taskId: string, id: string): Doc<SignalIdDoc> => ({
  path: `runs/${taskId}/signalIds/${compositeKey('signal', id)}`,
  codec: signalIdCodec,
});

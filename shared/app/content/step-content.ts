import { z } from 'zod';
import type { Item } from '../../domain/item.ts';
import type { Json, JsonObject } from '../../domain/json.ts';
import type { Message } from '../../domain/message.ts';
import type { Step } from '../../domain/step.ts';
import { Unreadable } from '../../ports/faults.ts';
import type { App } from '../app.ts';
import { boundStep } from './bindings.ts';
import {
  itemsFromJson,
  itemToJson,
  loadItem,
  unsealFields,
  pack,
  type Packed,
  storeItems,
} from './content.ts';
import { type StepDoc, stepDoc } from '../records/work-documents.ts';
import type { SealingKey } from './sealing-key.ts';
import { openText, sealText } from './summary-text.ts';

const json = z.json() as z.ZodType<Json>;
const object = z.record(z.string(), json) as z.ZodType<JsonObject>;
const call = z.object({
  id: z.string(),
  tool: z.string(),
  arguments: object,
  offer: z.string().exactOptional(),
  key: z.string().exactOptional(),
  problem: z.string().exactOptional(),
  operation: z.object({ kind: z.string(), shown: z.number() }).exactOptional(),
});

const usage = z.object({
  input: z.number(),
  output: z.number(),
  cached: z.number().exactOptional(),
  reasoning: z.number().exactOptional(),
});

const opening = z.object({
  instructions: z.string().exactOptional(),
  memory: z
    .object({
      shown: z.array(z.object({ taskId: z.string(), most: z.number() })),
      older: z.array(z.string()).exactOptional(),
      more: z.boolean(),
    })
    .exactOptional(),
});

const schema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('turn'),
    text: z.string().exactOptional(),
    calls: z.array(call),
    digest: z.string(),
    artifacts: z.array(z.string()),
    by: z.string().exactOptional(),
    state: json.exactOptional(),
    usage: usage.exactOptional(),
    finish: z.string().exactOptional(),
    problem: z.string().exactOptional(),
  }),
  z.object({
    kind: z.literal('result'),
    callId: z.string(),
    status: z.enum(['ok', 'error']),
    value: json,
    parts: object.exactOptional(),
  }),
  z.object({
    kind: z.literal('decision'),
    generation: z.number(),
    decision: z.enum(['approve', 'deny', 'input']),
    by: z.enum(['owner', 'operator']),
    input: json.exactOptional(),
    note: z.string().exactOptional(),
  }),
  z.object({
    kind: z.literal('answer'),
    generation: z.number(),
    message: object,
    opening: opening.exactOptional(),
  }),
  z.object({
    kind: z.literal('summary'),
    reason: z.enum(['memory', 'window', 'refused']),
    through: z.number(),
    until: z.number(),
    most: z.number(),
    shortened: z.boolean(),
    sources: z.array(z.string()),
    text: z.string().exactOptional(),
    problem: z.string().exactOptional(),
    by: z.string().exactOptional(),
    usage: usage.exactOptional(),
  }),
]);

/** A step ready to be committed; what is too large for a row goes to objects first. */
export async function packStep(app: App, workKey: SealingKey, step: Step): Promise<Packed> {
  if (step.kind === 'summary') {
    const { text, ...rest } = step;
    const sealed = text === undefined ? {} : await sealText(app, workKey, step.sources, text);
    return pack(app, workKey, { ...rest, ...sealed } as unknown as JsonObject);
  }
  if (step.kind === 'result' && step.parts !== undefined) {
    const parts = await packMessage(app, workKey, { ...CARRIER, parts: step.parts });
    return pack(app, workKey, { ...step, parts });
  }
  if (step.kind !== 'answer') return pack(app, workKey, step as unknown as JsonObject);
  const message = await packMessage(app, workKey, step.message);
  return pack(app, workKey, { ...step, message } as unknown as JsonObject);
}

/** Throws Unreadable. */
export async function unsealStep(app: App, workKey: SealingKey, doc: StepDoc): Promise<Step> {
  const { path } = stepDoc(workKey.taskId, doc.step);
  const parsed = schema.safeParse(await unsealFields(app, workKey, path, doc, boundStep(doc)));
  if (!parsed.success) throw new Unreadable(path, parsed.error);
  const step = parsed.data;
  if (step.kind === 'summary') {
    const { text, ...rest } = step;
    return {
      ...rest,
      ...(text !== undefined && (await openText(app, workKey, step.sources, text))),
    };
  }
  if (step.kind === 'result') {
    const { parts, ...rest } = step;
    if (parts === undefined) return rest;
    return { ...rest, parts: (await openMessage(app, workKey, parts, path)).parts };
  }
  if (step.kind !== 'answer') return step;
  return { ...step, message: await openMessage(app, workKey, step.message, path) };
}

/** What parts without a message are stored in. */
const CARRIER = { messageId: '', role: 'agent' } as const;

async function packMessage(app: App, workKey: SealingKey, message: Message) {
  const item: Item = { kind: 'message', message };
  const [stored] = await storeItems(app, workKey, [item]);
  return stored === undefined ? null : itemToJson(stored);
}

async function openMessage(
  app: App,
  workKey: SealingKey,
  sealed: JsonObject,
  path: string,
): Promise<Message> {
  const [item] = itemsFromJson([sealed], path);
  const loaded = item && (await loadItem(app, workKey, item));
  if (loaded?.kind !== 'message') throw new Unreadable(path);
  return loaded.message;
}

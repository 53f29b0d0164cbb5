import { z } from 'zod';
import type { Json } from '../../domain/json.ts';
import { type Signal, type SignalFacts, SIGNAL_BYTES } from '../../domain/signal.ts';
import { Unreadable } from '../../ports/faults.ts';
import type { App } from '../app.ts';
import { boundSignal } from '../content/bindings.ts';
import { pack, sealFields, unsealFields } from '../content/content.ts';
import type { SealingKey } from '../content/sealing-key.ts';
import { SCHEMA_VERSION } from '../records/documents.ts';
import { type SignalDoc, signalDoc } from '../records/work-documents.ts';

export interface SignalContent {
  readonly data: Json;
  /** The operator who delivered it. */
  readonly operator?: string;
}

const schema: z.ZodType<SignalContent> = z.object({
  data: z.json(),
  operator: z.string().exactOptional(),
});

/** Room for what stands beside the data. */
const INLINE = 2 * SIGNAL_BYTES;

/** The row of an event, sealed for its number: the row of the run says which one comes next. */
export async function sealSignal(
  app: App,
  workKey: SealingKey,
  facts: SignalFacts,
  content: SignalContent,
): Promise<SignalDoc> {
  const { path } = signalDoc(workKey.taskId, facts.number);
  const packed = await pack(app, workKey, { ...content }, INLINE);
  return {
    v: SCHEMA_VERSION,
    ...facts,
    ...sealFields(app, workKey, path, packed, boundSignal(facts)),
  };
}

/** Throws Unreadable. */
export async function unsealSignal(
  app: App,
  workKey: SealingKey,
  doc: SignalDoc,
): Promise<Signal & Pick<SignalContent, 'operator'>> {
  const { at, by, name, number } = doc;
  const { path } = signalDoc(workKey.taskId, number);
  const parsed = schema.safeParse(await unsealFields(app, workKey, path, doc, boundSignal(doc)));
  if (!parsed.success) throw new Unreadable(path, parsed.error);
  return { at, by, name, number, ...parsed.data };
}

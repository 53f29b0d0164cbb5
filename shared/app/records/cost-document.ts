import { z } from 'zod';
import { compositeKey } from '../../domain/digest.ts';
import type { Day } from '../../domain/model-use.ts';
import type { Doc } from '../../ports/store.ts';
import { codec } from './documents.ts';

export const COSTS = 'costs';

/** What is counted together: the turns of one day, agent, model and caller. */
export interface CostKey {
  readonly day: Day;
  readonly agent: string;
  readonly model: string;
  /** As `callerKey` has it. */
  readonly caller: string;
  /** Of the runs: each range has counters of its own, so that none is written by all. */
  readonly shard: number;
}

const costSchema = z.object({
  v: z.literal(1),
  day: z.number(),
  agent: z.string(),
  model: z.string(),
  caller: z.string(),
  shard: z.number(),
  turns: z.number(),
  input: z.number(),
  output: z.number(),
  cached: z.number(),
  reasoning: z.number(),
  cost: z.number(),
  unpriced: z.number(),
});

/** One counter: what models did for the runs of its key that have been counted. */
export type CostDoc = z.infer<typeof costSchema>;

export const costCodec = codec<CostDoc>(costSchema);

export const costDoc = ({ agent, caller, day, model, shard }: CostKey): Doc<CostDoc> => ({
  path: `${COSTS}/${compositeKey('cost', String(day), agent, model, caller, String(shard))}`,
  codec: costCodec,
});

/** A caller, in counters that outlast their tasks; '' where callers can't be told apart. */
export function callerKey({ owner, tenant }: { readonly owner: string; readonly tenant: string }) {
  return owner === '' && tenant === '' ? '' : compositeKey('caller', tenant, owner);
}

import { z } from 'zod';
import type { StepFacts } from '../../domain/step-facts.ts';
import { Unreadable } from '../../ports/faults.ts';
import type { App } from '../app.ts';
import type { Bound } from './bindings.ts';
import type { SealingKey } from './sealing-key.ts';
import { seal, unseal } from './sealing.ts';

/** Beside the step itself, in its row. */
const bindingOf = (path: string, bound: Bound) => ['step facts', path, ...bound] as const;

const schema = z.object({
  startedAt: z.number().exactOptional(),
  attempt: z.number().exactOptional(),
  cost: z.number().exactOptional(),
  fault: z.string().exactOptional(),
  calls: z
    .array(
      z.object({
        callId: z.string(),
        name: z.string().exactOptional(),
        effect: z.string().exactOptional(),
      }),
    )
    .exactOptional(),
  callId: z.string().exactOptional(),
  status: z.string().exactOptional(),
  model: z.string().exactOptional(),
  usage: z
    .object({
      input: z.number(),
      output: z.number(),
      cached: z.number().exactOptional(),
      reasoning: z.number().exactOptional(),
    })
    .exactOptional(),
  by: z.string().exactOptional(),
  generation: z.number().exactOptional(),
  reason: z.string().exactOptional(),
});

export function sealFacts(
  app: App,
  key: SealingKey,
  path: string,
  bound: Bound,
  facts: StepFacts,
): Uint8Array {
  return seal(key, bindingOf(path, bound), app.ids.bytes(12), Buffer.from(JSON.stringify(facts)));
}

/** Throws Unreadable. */
export function openFacts(
  key: SealingKey,
  path: string,
  bound: Bound,
  sealed: Uint8Array,
): StepFacts {
  const plain = unseal(key, bindingOf(path, bound), sealed);
  const parsed = schema.safeParse(JSON.parse(Buffer.from(plain).toString('utf8')));
  if (!parsed.success) throw new Unreadable(path, parsed.error);
  return parsed.data;
}

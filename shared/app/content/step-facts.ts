import { z } from 'zod';
import type { Step, TurnUsage } from '../../domain/step.ts';
import type { StepFacts, StepTold } from '../../domain/step-facts.ts';
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

/** Of a step what says nothing of its words. */
export function factsOf(step: Step, { calls: told, ...more }: StepTold = {}): StepFacts {
  switch (step.kind) {
    case 'turn': {
      const calls = step.calls.map(({ id: callId }, at) => ({ callId, ...told?.[at] }));
      const status = step.finish ?? (step.problem === undefined ? undefined : 'error');
      return {
        ...more,
        ...madeBy(step),
        ...(calls.length > 0 && { calls }),
        ...(status !== undefined && { status }),
      };
    }
    case 'result': {
      const [called] = told ?? [];
      const calls = called && [{ callId: step.callId, ...called }];
      return { ...more, callId: step.callId, status: step.status, ...(calls && { calls }) };
    }
    case 'decision': {
      const { by, decision: status, generation } = step;
      return { ...more, by, generation, status };
    }
    case 'answer':
      return { ...more, generation: step.generation };
    case 'summary': {
      const status = step.problem === undefined ? 'ok' : 'error';
      return { ...more, ...madeBy(step), reason: step.reason, status };
    }
  }
}

function madeBy({
  by,
  usage,
}: {
  readonly by?: string;
  readonly usage?: TurnUsage;
}): Pick<StepFacts, 'model' | 'usage'> {
  return { ...(by !== undefined && { model: by }), ...(usage && { usage }) };
}

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

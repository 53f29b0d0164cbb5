import { z } from 'zod';
import type { Decision } from '../../domain/decision.ts';
import { isJsonObject, type Json } from '../../domain/json.ts';
import type { Message, StoredMessage } from '../../domain/message.ts';
import { invalid, isRefused, type Refused } from '../../domain/refusal.ts';

const named = {
  pauseGeneration: z.number().int().min(1),
  digest: z.string().min(1).exactOptional(),
};
/** A decision as sent. Unknown keys are refused, so that a misspelt one is noticed. */
export const decisionSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('approve'), ...named }),
  z.strictObject({ kind: z.literal('deny'), ...named }),
  z.strictObject({ kind: z.literal('input'), ...named, input: z.json() }),
]);

/** A decision in a message, and the part that holds it. */
export interface DecisionPart {
  readonly at: number;
  readonly decision: Decision;
}

/**
 * A data part with the key `pauseGeneration` is a decision, and never an answer in the agent's own
 * terms.
 */
export function decisionPart(message: Message): DecisionPart | Refused | undefined {
  const found = message.parts.flatMap((part, at) =>
    'data' in part && isDecision(part.data) ? [{ at, data: part.data }] : [],
  );
  const [first, second] = found;
  if (first === undefined) return undefined;
  if (second !== undefined)
    return invalid(fieldOf(second.at), 'a message holds one decision at most');
  const decision = parseDecision(first.data, (name) => `${fieldOf(first.at)}${name}`);
  return isRefused(decision) ? decision : { at: first.at, decision };
}

/** A refusal names the field at fault. */
export function parseDecision(data: Json, field: (path: string) => string): Decision | Refused {
  const parsed = decisionSchema.safeParse(data);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const path = issue?.path.map((key) => `.${String(key)}`).join('') ?? '';
  if (issue?.code === 'unrecognized_keys') {
    return invalid(field(`${path}.${issue.keys[0] ?? ''}`), 'is no key of this kind of decision');
  }
  if (issue?.path[0] === 'kind') {
    return invalid(field('.kind'), 'must be one of approve, deny, input');
  }
  const absent = isJsonObject(data) && issue?.path.length === 1 && !(String(issue.path[0]) in data);
  return invalid(field(path), absent ? 'is required' : (issue?.message ?? 'is not understood'));
}

/**
 * An approval or denial is part of the history, but no input for the agent.
 */
export function isApproval(message: StoredMessage): boolean {
  return message.parts.some(
    (part) => 'data' in part && isDecision(part.data) && part.data['kind'] !== 'input',
  );
}

function isDecision(data: Json): data is { readonly [key: string]: Json } {
  return isJsonObject(data) && Object.hasOwn(data, 'pauseGeneration');
}

const fieldOf = (at: number): string => `message.parts[${at}].data`;

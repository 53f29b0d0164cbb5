import { z } from 'zod';
import type { Json } from '../../domain/json.ts';
import { invalid, type Refused } from '../../domain/refusal.ts';

/**
 * Refuses data that does not fit the schema of a question, and names the path of the value at
 * fault.
 */
export function misfit(schema: Json, data: Json, field: string): Refused | undefined {
  const result = toSchema(schema)?.safeParse(data);
  if (result === undefined || result.success) return undefined;
  const [issue] = result.error.issues;
  const path = issue?.path.map((key) => `.${String(key)}`).join('') ?? '';
  return invalid(`${field}${path}`, issue?.message ?? 'does not fit the schema of the question');
}

/**
 * A schema that was fine when the question was asked but can't be read any more checks nothing: the
 * agent still sees the answer.
 */
function toSchema(json: Json): z.ZodType | undefined {
  try {
    return z.fromJSONSchema(json as Parameters<typeof z.fromJSONSchema>[0]);
  } catch {
    return undefined;
  }
}

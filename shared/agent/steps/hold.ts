import type { JsonObject } from '../../domain/json.ts';
import type { Branch } from './branch.ts';
import type { Taken } from './branches.ts';
import { idOf, type Operation, turnOf } from './recorded.ts';

/**
 * Ends the segment in a pause for an approval, as a model's held turn does (G18): it is for exactly
 * what the operation asks. `summary` is public.
 */
export async function holdFor(
  { around: { course, segment } }: Branch,
  operation: Operation,
  details: JsonObject,
  summary: string,
): Promise<Taken<never>> {
  await course.flush();
  const { name, path } = operation;
  const call = { id: idOf(path), tool: name };
  const pause = {
    kind: 'approval',
    words: [{ text: `Approval is needed for: ${name}.` }],
    digest: await segment.transcript.publicDigest(turnOf(operation, details).digest),
    calls: [{ ...call, summary }],
  } as const;
  return { kind: 'ends', ending: { kind: 'paused', pause, calls: [call] } };
}

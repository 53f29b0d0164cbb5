import { z } from 'zod';
import { decodeCursor, tokenText } from '../../store/cursor.ts';

/**
 * Where a walk over a list stands. `newest` goes down from the newest task; a task that changes
 * meanwhile jumps to the top, behind the walker's back, so `moved` then goes up over what changed
 * since the walk began (decision 0006).
 */
const walkSchema = z.object({
  phase: z.enum(['newest', 'moved']),
  began: z.number(),
  cursor: z.string().optional(),
  /** As the first page counted it, unless that failed. */
  total: z.number().int().min(0).optional(),
  /** Digest of the filters: a token continues its own walk only. */
  filter: z.string(),
});
export type Walk = z.infer<typeof walkSchema>;

export function encodeWalk(walk: Walk): string {
  return Buffer.from(JSON.stringify(walk)).toString('base64url');
}

/**
 * Undefined for anything that is not a token of a walk with these filters: it comes from a client.
 */
export function decodeWalk(token: string, filter: string): Walk | undefined {
  try {
    const parsed = walkSchema.safeParse(JSON.parse(tokenText(token)));
    if (!parsed.success || parsed.data.filter !== filter) return undefined;
    const { cursor } = parsed.data;
    return cursor === undefined || decodeCursor(cursor) !== undefined ? parsed.data : undefined;
  } catch {
    return undefined;
  }
}

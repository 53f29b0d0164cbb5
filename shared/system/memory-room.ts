/** What one large body takes while it is parsed, sealed, stored and answered, and some more. */
const RESERVE = 192 * 1024 * 1024;

/**
 * Says whether the process has room for one more large body: whatever else it does, agents at work
 * among it, counts. `limit` in bytes; 0: what the platform allows the process, and if that is
 * nothing, there is always room.
 */
export function memoryRoom(limit: number): () => boolean {
  const bound = limit === 0 ? (process.constrainedMemory() ?? 0) : limit;
  // An unconstrained process answers with 0, or with more than there is.
  if (bound === 0 || bound > Number.MAX_SAFE_INTEGER) return () => true;
  return () => process.memoryUsage.rss() + RESERVE < bound;
}

/** Numbers from 0 to 1 that a seed determines (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * Like a version 4 UUID in all that rows' and queues' shards are computed from: both look at all of
 * it, or at its beginning.
 */
export function taskIdFrom(random: () => number): string {
  const head = Math.floor(random() * 2 ** 32 + 2 ** 32).toString(16);
  const tail = Math.floor(random() * 2 ** 44 + 2 ** 44).toString(16);
  return `${head.slice(1, 9)}-0000-4000-a000-${tail.slice(0, 12)}`;
}

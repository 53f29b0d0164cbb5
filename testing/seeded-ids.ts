import type { Ids } from '../shared/ports/ids.ts';

/** Randomness that a seed repeats (mulberry32). Not secret, and good enough to spread. */
export function seededIds(seed = 1): Ids {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
  const bytes = (count: number) => Uint8Array.from({ length: count }, () => next() & 0xff);
  return {
    bytes,
    random: () => next() / 2 ** 32,
    token: () => Buffer.from(bytes(16)).toString('base64url'),
    uuid: () => {
      const hex = Buffer.from(bytes(16)).toString('hex');
      const variant = ((Number.parseInt(hex.charAt(16), 16) & 3) | 8).toString(16);
      const parts = [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`];
      return [...parts, variant + hex.slice(17, 20), hex.slice(20)].join('-');
    },
  };
}

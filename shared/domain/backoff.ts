import type { Millis } from './brand.ts';

export interface Backoff {
  /** The pause after the first failure. */
  readonly first: Millis;
  /** No pause is longer. Absent: they grow as long as they are asked for. */
  readonly most?: Millis;
  /** By how much each pause is longer than the one before. 2 unless given. */
  readonly growth?: number;
}

/**
 * How long to wait after so many failures in a row (1 or more) before the next try; without chance.
 */
export function backoff(
  { first, most = Number.POSITIVE_INFINITY, growth = 2 }: Backoff,
  failures: number,
): Millis {
  // Beyond this a product is infinite, and that of zero no number.
  return Math.min(first * growth ** Math.min(Math.max(failures - 1, 0), 60), most);
}

import { type Backoff, backoff } from './backoff.ts';
import type { Millis } from './brand.ts';

/** What is known of a remote agent that is left alone for a while. One that answers has none. */
export interface Circuit {
  /** Its name, as agents declare it. */
  readonly remote: string;
  readonly openedAt: Millis;
  /** Until then nothing is asked of it; the first call after that is let through, alone. */
  readonly openUntil: Millis;
  /** Failed calls in a row, and why the last one failed. */
  readonly faults: number;
  readonly reason: string;
  /** Calls that were let through since it opened. */
  readonly probes: number;
}

/** So many calls failed in a row that it is left alone. */
export function openedFor(
  { faults, reason, remote }: Pick<Circuit, 'faults' | 'reason' | 'remote'>,
  rests: Backoff,
  now: Millis,
): Circuit {
  const openUntil = now + backoff(rests, 1);
  return { remote, openedAt: now, openUntil, faults, reason, probes: 0 };
}

/** One more call failed: longer after each that was let through in vain. */
export function failedAgain(
  circuit: Circuit,
  reason: string,
  rests: Backoff,
  now: Millis,
): Circuit {
  const openUntil = now + backoff(rests, circuit.probes + 1);
  return { ...circuit, faults: circuit.faults + 1, reason, openUntil };
}

/**
 * Half open: its rest is over, and this call is let through. The others wait for what comes of it,
 * so long at most. Undefined while it rests.
 */
export function letThrough(circuit: Circuit, most: Millis, now: Millis): Circuit | undefined {
  if (circuit.openUntil > now) return undefined;
  return { ...circuit, probes: circuit.probes + 1, openUntil: now + most };
}

import type { Millis } from '../../domain/brand.ts';
import { isPassing } from '../../ports/faults.ts';
import type { Store } from '../../ports/store.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Settings } from '../../domain/settings.ts';
import { SCHEMA_VERSION } from '../records/documents.ts';
import { bucketDoc } from './owner-bucket.ts';

/** A process hands out this share of the rate without asking the store. */
const SHARE = 20;
/** The bucket holds what the rate gives in this long. */
const BURST: Millis = 10_000;
/** What was taken from the store and not used by then is lost. */
const KEPT: Millis = 10_000;
/** Owners that a process knows at a time. */
const KNOWN = 10_000;

interface Known {
  free: number;
  freeAt: Millis;
  taken: number;
  takenUntil: Millis;
  deniedUntil: Millis;
  asking: Promise<void> | undefined;
}

/** How many requests each owner may send, over all processes. */
export interface OwnerRates {
  /** 0: any number. */
  readonly perSecond: number;
  /** Undefined: the owner may send this request. Else the seconds to wait. */
  take(owner: string): Promise<number | undefined>;
}

export interface OwnerRatesOptions {
  readonly store: Pick<Store, 'transact'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly settings: Pick<Settings, 'ownerRequests'>;
}

/**
 * A token bucket in the store, which is not asked for each request. A process hands out a twentieth
 * of the rate by itself; an owner who sends more than that costs one transaction for each second's
 * worth of tokens. So in any span an owner gets what rate and bucket give, and at most a twentieth
 * of the rate more for each process.
 */
export function createOwnerRates({ clock, settings, store }: OwnerRatesOptions): OwnerRates {
  const rate = settings.ownerRequests;
  const share = rate / SHARE;
  const known = new Map<string, Known>();

  function find(owner: string, now: Millis): Known {
    const found = known.get(owner);
    if (found !== undefined) {
      found.free = Math.min(share, found.free + ((now - found.freeAt) / 1_000) * share);
      found.freeAt = now;
      return found;
    }
    const [oldest] = known.keys();
    if (known.size >= KNOWN && oldest !== undefined) known.delete(oldest);
    const fresh = { free: share, freeAt: now, taken: 0, takenUntil: 0, deniedUntil: 0 };
    const made: Known = { ...fresh, asking: undefined };
    known.set(owner, made);
    return made;
  }

  /** As much as is there, a second's worth at most. */
  async function ask(owner: string, state: Known): Promise<void> {
    const granted = await store.transact(async (tx) => {
      const at = bucketDoc(owner);
      const now = clock.now();
      const most = (rate * BURST) / 1_000;
      const stored = await tx.get(at);
      const since = stored === undefined ? 0 : Math.max(0, now - stored.at);
      const tokens = Math.min(most, (stored?.tokens ?? most) + (since / 1_000) * rate);
      const part = Math.min(Math.ceil(rate), Math.floor(tokens));
      if (part > 0) tx.set(at, { v: SCHEMA_VERSION, tokens: tokens - part, at: now });
      return part;
    });
    const now = clock.now();
    state.taken = granted;
    state.takenUntil = now + KEPT;
    if (granted === 0) state.deniedUntil = now + 1_000;
  }

  return {
    perSecond: rate,
    async take(owner) {
      if (rate === 0) return undefined;
      for (;;) {
        const now = clock.now();
        const state = find(owner, now);
        if (state.free >= 1) {
          state.free -= 1;
          return undefined;
        }
        if (state.taken > 0 && now < state.takenUntil) {
          state.taken -= 1;
          return undefined;
        }
        if (now < state.deniedUntil) return 1;
        state.asking ??= ask(owner, state).finally(() => {
          state.asking = undefined;
        });
        try {
          await state.asking;
        } catch (error) {
          // What the request is for needs the store, too, and says so.
          if (isPassing(error)) return undefined;
          throw error;
        }
      }
    },
  };
}

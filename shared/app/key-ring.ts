import type { Millis } from '../domain/brand.ts';
import { Unreadable } from '../ports/faults.ts';
import type { Clock } from '../ports/clock.ts';
import type { DataKey, Sealer } from '../ports/sealer.ts';
import { Subkeys } from './subkeys.ts';

/**
 * Opened data keys of the runs at hand. A key service is slow and billed, a list page opens fifty
 * keys. A key is used for a while at most, so that one that is revoked at the service, or destroyed
 * by another process, is not used for ever.
 */
export interface KeyRing {
  /** Throws Unreadable, KeyMissing, Unavailable. */
  unwrap(taskId: string, wrapped: Uint8Array): Promise<Subkeys>;
  /**
   * A new key for that run, which replaces the one that was held for it. Throws KeyMissing,
   * Unavailable.
   */
  create(taskId: string): Promise<{ readonly keys: Subkeys; readonly wrapped: Uint8Array }>;
  /** A run whose key was destroyed. */
  forget(taskId: string): void;
}

interface Held {
  readonly wrapped: Uint8Array;
  readonly keys: Subkeys;
  readonly until: Millis;
}

export interface KeyRingOptions {
  readonly capacity?: number;
  /** How long an opened key is held, in milliseconds. */
  readonly life?: Millis;
}

/** The owner of a key that is no run's. No task has this id. */
export const INSTALLATION = 'installation';

/** Whose data key it is, as the sealer authenticates it. */
export const keyOwner = (taskId: string): string =>
  taskId === INSTALLATION ? INSTALLATION : `runs/${taskId}`;

export function createKeyRing(
  sealer: Sealer,
  clock: Pick<Clock, 'now'>,
  { capacity = 2_000, life = 5 * 60_000 }: KeyRingOptions = {},
): KeyRing {
  // In the order in which they were opened, so the first are the first to go.
  const held = new Map<string, Held>();

  function expire(now: Millis): void {
    for (const [taskId, { until }] of held) {
      if (until > now && held.size <= capacity) return;
      held.delete(taskId);
    }
  }

  function hold(taskId: string, { plain, wrapped }: DataKey): Subkeys {
    const keys = new Subkeys(plain);
    const now = clock.now();
    held.delete(taskId);
    held.set(taskId, { wrapped, keys, until: now + life });
    expire(now);
    return keys;
  }

  return {
    async unwrap(taskId, wrapped) {
      // What a purge leaves in the place of the key that it destroyed.
      if (wrapped.byteLength === 0) throw new Unreadable('a data key');
      const known = held.get(taskId);
      const lasts = known !== undefined && known.until > clock.now();
      if (lasts && Buffer.compare(known.wrapped, wrapped) === 0) return known.keys;
      return hold(taskId, { wrapped, plain: await sealer.unwrap(wrapped, keyOwner(taskId)) });
    },
    async create(taskId) {
      const created = await sealer.newKey(keyOwner(taskId));
      return { keys: hold(taskId, created), wrapped: created.wrapped };
    },
    forget: (taskId) => void held.delete(taskId),
  };
}

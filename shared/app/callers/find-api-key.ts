import type { Millis } from '../../domain/brand.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Store } from '../../ports/store.ts';
import { type ApiKeyDoc, apiKeyDoc } from '../records/api-key-document.ts';
import { apiKeyHash, apiKeyId, sameHash } from './api-key-text.ts';

/** Whose a key is. */
export interface KeyHolder {
  readonly id: string;
  readonly tenant: string;
  readonly owner: string;
}

/**
 * Whose a key is, by its text; undefined for every text that is no key of ours now: unknown, with
 * another secret, revoked or expired. Throws Unavailable when the store does not say.
 */
export type FindApiKey = (text: string) => Promise<KeyHolder | undefined>;

export interface FindOptions {
  readonly store: Pick<Store, 'get'>;
  readonly clock: Pick<Clock, 'now'>;
  /** How long a key that was found is not looked up again. */
  readonly memory: Millis;
}

/** Keys that one process remembers at most. */
const REMEMBERED = 1_000;
/** Of no key. */
const NO_HASH = '0'.repeat(64);

interface Remembered {
  readonly key: ApiKeyDoc;
  readonly until: Millis;
}

/**
 * Looks keys up in the store, where only hashes lie, and remembers for a short time what it found:
 * a revocation takes effect after that span at the latest. What is wrong is never remembered.
 */
export function createFindApiKey({ store, clock, memory }: FindOptions): FindApiKey {
  const known = new Map<string, Remembered>();

  async function lookUp(id: string, hash: string): Promise<ApiKeyDoc | undefined> {
    const remembered = known.get(hash);
    if (remembered !== undefined && remembered.until > clock.now()) return remembered.key;
    known.delete(hash);
    const key = await store.get(apiKeyDoc(id));
    // Compared also where there is none: the time tells neither from the other.
    const same = sameHash(key?.hash ?? NO_HASH, hash);
    if (key === undefined || !same || key.revokedAt !== null) return undefined;
    if (known.size >= REMEMBERED) known.clear();
    known.set(hash, { key, until: clock.now() + memory });
    return key;
  }

  return async (text) => {
    const id = apiKeyId(text);
    if (id === undefined) return undefined;
    const key = await lookUp(id, apiKeyHash(text));
    if (key === undefined || (key.expiresAt ?? Number.POSITIVE_INFINITY) <= clock.now())
      return undefined;
    const { owner, tenant } = key;
    return { id, tenant, owner };
  };
}

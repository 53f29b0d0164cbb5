import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';

/**
 * What a data key is used for: `rows` and `objects` seal, the others make digests that say nothing
 * without the key.
 */
export type KeyUse =
  | 'rows'
  | 'objects'
  | 'object nonces'
  | 'decisions'
  | 'held turns'
  | 'receipts'
  | 'signals'
  | 'summaries';

/**
 * One data key and what is derived from it: a key for each use (HKDF, RFC 5869), so that nothing
 * that one use gives away helps against another. Derived when it is first needed.
 */
export class Subkeys {
  readonly #dataKey: KeyObject;
  readonly #derived = new Map<KeyUse, KeyObject>();

  /** Takes 32 bytes of chance, and wipes them. */
  constructor(plain: Uint8Array) {
    this.#dataKey = createSecretKey(plain);
    plain.fill(0);
  }

  for(use: KeyUse): KeyObject {
    const known = this.#derived.get(use);
    if (known !== undefined) return known;
    const bytes = expand(this.#dataKey, `holdfast ${use}`);
    const key = createSecretKey(bytes);
    bytes.fill(0);
    this.#derived.set(use, key);
    return key;
  }

  /**
   * The data key that opens less than this one: it follows from this one, and this one does not
   * follow from it.
   */
  below(level: LowerKey): Subkeys {
    return new Subkeys(lowerKey(this.#dataKey, level));
  }

  mac(use: KeyUse, data: string | Uint8Array): Buffer {
    return createHmac('sha256', this.for(use)).update(data).digest();
  }
}

/** What a key that follows from another one opens (docs/privacy.md#the-trail). */
export type LowerKey = 'redacted trail' | 'trail metadata';

export const lowerKey = (key: KeyObject, level: LowerKey): Buffer =>
  expand(key, `holdfast ${level}`);

/**
 * HKDF-Expand (RFC 5869, section 2.3) to 32 bytes. A data key is 32 bytes of chance, so there is
 * nothing to extract (section 3.3), and `hkdfSync`, which always does, costs three times as much on
 * the way of each new task.
 */
export function expand(key: KeyObject, info: string | Uint8Array): Buffer {
  return createHmac('sha256', key).update(info).update(Uint8Array.of(1)).digest();
}

import { createSecretKey, type KeyObject } from 'node:crypto';
import type { Sealer } from '../ports/sealer.ts';

/** Unwrapped data keys of the runs at hand. A key service is slow and billed, a list page needs fifty keys. */
export interface KeyRing {
  /** Throws Unreadable, Unavailable. */
  unwrap(wrapped: Uint8Array): Promise<KeyObject>;
  /** Takes in a key that is known already. */
  remember(wrapped: Uint8Array, plain: Uint8Array): KeyObject;
}

export function createKeyRing(sealer: Sealer, capacity = 2_000): KeyRing {
  const known = new Map<string, KeyObject>();
  const nameOf = (wrapped: Uint8Array): string =>
    Buffer.from(wrapped.buffer, wrapped.byteOffset, wrapped.byteLength).toString('latin1');

  function remember(name: string, plain: Uint8Array): KeyObject {
    // Importing a key costs more than sealing a small document with it.
    const key = createSecretKey(plain);
    known.delete(name);
    known.set(name, key);
    if (known.size > capacity) known.delete(known.keys().next().value ?? name);
    return key;
  }

  return {
    async unwrap(wrapped) {
      const name = nameOf(wrapped);
      const present = known.get(name);
      if (present !== undefined) return present;
      return remember(name, await sealer.unwrap(wrapped));
    },
    remember: (wrapped, plain) => remember(nameOf(wrapped), plain),
  };
}

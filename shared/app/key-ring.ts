import { createSecretKey, type KeyObject } from 'node:crypto';
import type { Sealer } from '../ports/sealer.ts';

/** Opened data keys of the runs at hand. A key service is slow and billed, a list page opens fifty keys. */
export interface KeyRing {
  /** Throws Unreadable, Unavailable. */
  open(wrapped: Uint8Array): Promise<KeyObject>;
  /** Takes in a key that is known already, and answers it opened. */
  hold(wrapped: Uint8Array, plain: Uint8Array): KeyObject;
}

export function createKeyRing(sealer: Sealer, capacity = 2_000): KeyRing {
  const held = new Map<string, KeyObject>();
  const nameOf = (wrapped: Uint8Array): string =>
    Buffer.from(wrapped.buffer, wrapped.byteOffset, wrapped.byteLength).toString('latin1');

  function hold(name: string, plain: Uint8Array): KeyObject {
    // Importing a key costs more than sealing a small document with it.
    const key = createSecretKey(plain);
    held.delete(name);
    held.set(name, key);
    if (held.size > capacity) held.delete(held.keys().next().value ?? name);
    return key;
  }

  return {
    async open(wrapped) {
      const name = nameOf(wrapped);
      const known = held.get(name);
      if (known !== undefined) return known;
      return hold(name, await sealer.unwrap(wrapped));
    },
    hold: (wrapped, plain) => hold(nameOf(wrapped), plain),
  };
}

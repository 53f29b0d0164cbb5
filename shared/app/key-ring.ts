import type { Sealer } from '../ports/sealer.ts';

/** Opened data keys of the runs at hand. A key service is slow and billed, a list page opens fifty keys. */
export interface KeyRing {
  /** Throws Unreadable, Unavailable. */
  open(wrapped: Uint8Array): Promise<Uint8Array>;
  /** Takes in a key that is known already. */
  hold(wrapped: Uint8Array, plain: Uint8Array): void;
}

export function createKeyRing(sealer: Sealer, capacity = 2_000): KeyRing {
  const held = new Map<string, Uint8Array>();
  const nameOf = (wrapped: Uint8Array): string =>
    Buffer.from(wrapped.buffer, wrapped.byteOffset, wrapped.byteLength).toString('latin1');

  function hold(name: string, plain: Uint8Array): void {
    held.delete(name);
    held.set(name, plain);
    if (held.size <= capacity) return;
    for (const oldest of held.keys()) {
      held.delete(oldest);
      break;
    }
  }

  return {
    async open(wrapped) {
      const name = nameOf(wrapped);
      const known = held.get(name);
      if (known !== undefined) return known;
      const plain = await sealer.unwrap(wrapped);
      hold(name, plain);
      return plain;
    },
    hold: (wrapped, plain) => hold(nameOf(wrapped), plain),
  };
}

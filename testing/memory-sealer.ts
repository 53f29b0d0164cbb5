import { Unreadable } from '../shared/ports/faults.ts';
import type { Ids } from '../shared/ports/ids.ts';
import type { DataKey, Sealer } from '../shared/ports/sealer.ts';

/**
 * A key service that remembers its keys: the wrapped form is a random name, and says nothing about
 * the key.
 */
export function memorySealer(ids: Ids): Sealer {
  const keys = new Map<string, Uint8Array>();
  const nameOf = (wrapped: Uint8Array, owner: string): string =>
    `${owner} ${Buffer.from(wrapped).toString('hex')}`;
  const find = (wrapped: Uint8Array, owner: string): Uint8Array => {
    const plain = keys.get(nameOf(wrapped, owner));
    if (plain === undefined) throw new Unreadable('a data key');
    // Who unwraps a key may wipe it.
    return plain.slice();
  };
  return {
    keyNames: () => Promise.resolve(['memory']),
    async newKey(owner): Promise<DataKey> {
      const [plain, wrapped] = [ids.bytes(32), ids.bytes(48)];
      keys.set(nameOf(wrapped, owner), plain.slice());
      return { plain, wrapped };
    },
    unwrap: async (wrapped, owner) => find(wrapped, owner),
    async rewrap(wrapped, owner) {
      find(wrapped, owner);
      return { kind: 'current' };
    },
  };
}

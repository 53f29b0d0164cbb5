import { Unreadable } from '../../shared/ports/faults.ts';
import type { Ids } from '../../shared/ports/ids.ts';
import type { DataKey, Sealer } from '../../shared/ports/sealer.ts';

/** A key service that remembers its keys: the wrapped form is a random name, and says nothing about the key. */
export function memorySealer(ids: Ids): Sealer {
  const keys = new Map<string, Uint8Array>();
  const nameOf = (wrapped: Uint8Array): string => Buffer.from(wrapped).toString('hex');
  return {
    async newKey(): Promise<DataKey> {
      const [plain, wrapped] = [ids.bytes(32), ids.bytes(48)];
      keys.set(nameOf(wrapped), plain);
      return { plain, wrapped };
    },
    async unwrap(wrapped) {
      const plain = keys.get(nameOf(wrapped));
      if (plain === undefined) throw new Unreadable('a data key');
      return plain;
    },
    async rewrap(wrapped) {
      if (!keys.has(nameOf(wrapped))) throw new Unreadable('a data key');
      return undefined;
    },
  };
}

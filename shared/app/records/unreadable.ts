import { KeyMissing, Unreadable } from '../../ports/faults.ts';
import type { Decoder } from '../../ports/store.ts';

/**
 * What can be read; undefined for what can't be unsealed or decoded any more. Throws Unavailable.
 */
export async function undefinedIfUnreadable<T>(read: () => T | Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof Unreadable) return undefined;
    throw error;
  }
}

/**
 * It can't be read with the keys at hand, whether or not they come back: for readers that only
 * show, and destroy nothing.
 */
export function isNotReadable(error: unknown): boolean {
  return error instanceof Unreadable || error instanceof KeyMissing;
}

/** For walks over many rows: what can't be read comes as undefined, instead of ending the walk. */
export function tolerantCodec<T>(codec: Decoder<T>): Decoder<T | undefined> {
  return {
    decode(fields, path) {
      try {
        return codec.decode(fields, path);
      } catch (error) {
        if (error instanceof Unreadable) return undefined;
        throw error;
      }
    },
  };
}

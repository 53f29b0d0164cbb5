import { Unreadable } from '../ports/faults.ts';
import type { ObjectKind } from './object-id.ts';

export interface EntryHeader {
  readonly kind: ObjectKind;
  /** Of the object's body, inflated. */
  readonly size: number;
  /** Of the header itself. */
  readonly length: number;
}

const NUMBERS = { commit: 1, tree: 2, blob: 3 } as const satisfies Record<ObjectKind, number>;
const KINDS: readonly (ObjectKind | undefined)[] = [undefined, 'commit', 'tree', 'blob'];
const MORE = 0x80;
/** In bytes, for sizes that a number holds exactly. */
export const LONGEST_HEADER = 9;

/** Kind and size, four bits of the size first and then seven a byte, lowest first. */
export function encodeEntryHeader(kind: ObjectKind, size: number): Buffer {
  const bytes: number[] = [];
  let byte = (NUMBERS[kind] << 4) | (size % 16);
  // Divided, not shifted: a size may have more than 32 bits.
  for (let rest = Math.floor(size / 16); rest > 0; rest = Math.floor(rest / 128)) {
    bytes.push(byte | MORE);
    byte = rest % 128;
  }
  return Buffer.from([...bytes, byte]);
}

/** Throws Unreadable for a delta or a tag: our writer makes none. */
export function decodeEntryHeader(bytes: Uint8Array): EntryHeader {
  const first = bytes[0] ?? 0;
  const kind = KINDS[(first >> 4) & 7];
  if (kind === undefined) throw new Unreadable('an entry of a pack');
  let size = first % 16;
  let length = 1;
  let unit = 16;
  for (let byte = first; (byte & MORE) !== 0; length += 1) {
    byte = bytes[length] ?? MORE;
    size += (byte % MORE) * unit;
    unit *= 128;
    if (!Number.isSafeInteger(size) || length > 8) throw new Unreadable('an entry of a pack');
  }
  return { kind, size, length };
}

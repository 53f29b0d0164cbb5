import { constants, crc32, deflateRawSync } from 'node:zlib';
import { Unreadable } from '../ports/faults.ts';

/** No name, no time, and no claim of an operating system (RFC 1952). */
const HEAD = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255]);
/** Of a zlib stream (RFC 1950): what stands before and after its deflate blocks. */
const ZLIB_HEAD = 2;
const ZLIB_TAIL = 4;
const DICTIONARY = 0x20;

/** Some bytes as a whole member. A gzip file is one or more of them, and reads as their sum. */
export function gzipMember(bytes: Uint8Array): Buffer {
  const body = deflateRawSync(bytes, { level: constants.Z_BEST_SPEED });
  return Buffer.concat([HEAD, body, memberTail(crc32(bytes), bytes.byteLength)]);
}

export function memberHead(): Buffer {
  return HEAD;
}

/** The CRC-32 and the length of what the member holds. */
export function memberTail(crc: number, bytes: number): Buffer {
  const tail = Buffer.alloc(8);
  tail.writeUInt32LE(crc, 0);
  tail.writeUInt32LE(bytes % 2 ** 32, 4);
  return tail;
}

/**
 * The deflate blocks of a zlib stream that comes in pieces, each handed on as it is: the first two
 * bytes and the last four are left out. Throws Unreadable for a stream with a dictionary.
 */
export async function* deflateBlocks(
  zlib: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): AsyncGenerator<Buffer> {
  let held = Buffer.alloc(0);
  let begun = false;
  for await (const piece of zlib) {
    const bytes = Buffer.concat([held, piece]);
    if (bytes.length <= ZLIB_HEAD + ZLIB_TAIL) {
      held = bytes;
      continue;
    }
    if (!begun && ((bytes[1] ?? 0) & DICTIONARY) !== 0) throw new Unreadable('an entry of a pack');
    yield bytes.subarray(begun ? 0 : ZLIB_HEAD, -ZLIB_TAIL);
    begun = true;
    held = bytes.subarray(-ZLIB_TAIL);
  }
  if (!begun) throw new Unreadable('an entry of a pack');
}

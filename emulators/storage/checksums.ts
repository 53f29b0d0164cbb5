import { createHash } from 'node:crypto';
import { invalid } from './refusal.ts';

const POLYNOMIAL = 0x82f63b78;
const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit += 1) value = (value >>> 1) ^ (value & 1 ? POLYNOMIAL : 0);
  return value;
});

export interface Checksums {
  readonly md5Hash: string;
  readonly crc32c: string;
}

/**
 * Base64 of the MD5 and of the big-endian CRC32C
 * (https://cloud.google.com/storage/docs/data-validation).
 */
export function checksumsOf(body: Uint8Array): Checksums {
  let value = 0xffffffff;
  for (const byte of body) value = (value >>> 8) ^ (TABLE[(value ^ byte) & 255] ?? 0);
  const crc = Buffer.alloc(4);
  crc.writeUInt32BE(~value >>> 0);
  return {
    md5Hash: createHash('md5').update(body).digest('base64'),
    crc32c: crc.toString('base64'),
  };
}

/**
 * An upload that names a checksum is refused when its bytes have another one, and then nothing is
 * written (https://cloud.google.com/storage/docs/data-validation#server-side_validation).
 */
export function verifyChecksums(
  given: { readonly [name in keyof Checksums]?: string | undefined },
  found: Checksums,
): void {
  for (const name of ['md5Hash', 'crc32c'] as const) {
    const claimed = given[name];
    if (claimed !== undefined && claimed !== found[name]) {
      throw invalid(`Provided ${name} "${claimed}" doesn't match calculated "${found[name]}".`);
    }
  }
}

import { promisify } from 'node:util';
import { constants, deflate, deflateSync, inflate, inflateSync } from 'node:zlib';
import { Unreadable } from '../ports/faults.ts';

/** Half the time of zlib's default level, for two percent more bytes. */
export const LEVEL = 3;
const PROBE = 4 * 1024;
/** From here on the thread pool is worth its handover. */
const LARGE = 256 * 1024;

const deflateAside = promisify(deflate);
const inflateAside = promisify(inflate);

/** Stored as it is where the beginning does not compress: pictures, archives. */
export function levelFor(beginning: Uint8Array): number {
  if (beginning.byteLength < PROBE) return LEVEL;
  const probe = deflateSync(beginning.subarray(0, PROBE), { level: 1 });
  return probe.byteLength > PROBE * 0.97 ? constants.Z_NO_COMPRESSION : LEVEL;
}

export async function zip(body: Uint8Array): Promise<Buffer> {
  const level = levelFor(body);
  return body.byteLength < LARGE ? deflateSync(body, { level }) : deflateAside(body, { level });
}

/** Throws Unreadable unless it is `size` bytes; never makes more. */
export async function unzip(bytes: Uint8Array, size: number): Promise<Buffer> {
  return bytes.byteLength < LARGE
    ? unzipNow(bytes, size)
    : checked(size, await inflateAside(bytes, bound(size)).catch(unreadable));
}

/** The same at once, for what is small. */
export function unzipNow(bytes: Uint8Array, size: number): Buffer {
  try {
    return checked(size, inflateSync(bytes, bound(size)));
  } catch (error) {
    return unreadable(error);
  }
}

function bound(size: number): { readonly maxOutputLength: number } {
  return { maxOutputLength: Math.max(1, size) };
}

function checked(size: number, body: Buffer): Buffer {
  if (body.length !== size) throw new Unreadable('an entry of a pack');
  return body;
}

function unreadable(error: unknown): never {
  throw new Unreadable('an entry of a pack', error);
}

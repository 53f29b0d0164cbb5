import { Fault } from '../../ports/faults.ts';

/**
 * A whole name has at most 1024 bytes, and neither CR nor LF
 * (https://cloud.google.com/storage/docs/objects#naming).
 */
const LONGEST = 1024;

/**
 * The same names are refused as on one machine (ports/blobs.ts), so that what works there works
 * here.
 */
export function requireName(name: string): void {
  const segments = name.split('/');
  const good =
    Buffer.byteLength(name) <= LONGEST &&
    name.isWellFormed() &&
    !/[\r\n]/.test(name) &&
    segments.every((segment) => {
      const length = Buffer.byteLength(segment);
      return length >= 1 && length <= 255 && segment !== '.' && segment !== '..';
    });
  if (!good) throw new Fault('BadName', 'stop', 'not the name of an object');
}

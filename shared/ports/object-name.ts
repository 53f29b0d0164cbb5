import { Fault } from './faults.ts';

/**
 * A whole name has at most 1024 bytes, and neither CR nor LF
 * (https://cloud.google.com/storage/docs/objects#naming). A segment is what a file system takes.
 */
const LONGEST = 1024;
const LONGEST_SEGMENT = 255;

/** Every adapter refuses the same names. Throws BadName. */
export function requireObjectName(name: string): void {
  const good =
    Buffer.byteLength(name) <= LONGEST &&
    name.isWellFormed() &&
    !/[\r\n]/.test(name) &&
    name.split('/').every((segment) => {
      const length = Buffer.byteLength(segment);
      return length >= 1 && length <= LONGEST_SEGMENT && segment !== '.' && segment !== '..';
    });
  if (!good) throw new Fault('BadName', 'stop', 'not the name of an object');
}

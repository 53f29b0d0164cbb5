import { ArchiveRefused } from './archive-refused.ts';

/** The fields of a header block that count here; owners and times do not. */
export interface TarFields {
  /**
   * The two fields that the path is in. Of a name that has no room there, tar writes what fits,
   * which may end within a letter.
   */
  readonly prefix: Buffer;
  readonly name: Buffer;
  readonly permissions: number;
  readonly size: number;
  /** One character; `0` for a file. */
  readonly type: string;
  readonly target: Buffer;
}

export const BLOCK = 512;
const POSIX = 'ustar\0';
const MAGICS: ReadonlySet<string> = new Set([POSIX, 'ustar ', '\0\0\0\0\0\0']);

/**
 * Reads a header block: ustar, and what GNU tar and the seventh edition of Unix made of it
 * (POSIX.1-2017, pax, "ustar Interchange Format"). Throws ArchiveRefused for a block that is none.
 */
export function tarFields(block: Buffer): TarFields {
  const magic = block.toString('latin1', 257, 263);
  if (!MAGICS.has(magic) || !isSumRight(block)) {
    throw new ArchiveRefused('', 'is no tar file, or is damaged');
  }
  const type = block.toString('latin1', 156, 157);
  return {
    prefix: magic === POSIX ? block.subarray(345, 500) : Buffer.alloc(0),
    name: block.subarray(0, 100),
    permissions: numberOf(block.subarray(100, 108)),
    size: numberOf(block.subarray(124, 136)),
    type: type === '\0' || type === '7' ? '0' : type,
    target: block.subarray(157, 257),
  };
}

/** Up to the first NUL. Throws ArchiveRefused unless it is UTF-8. */
export function textOf(field: Uint8Array): string {
  const end = field.indexOf(0);
  const bytes = end < 0 ? field : field.subarray(0, end);
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    const hex = Buffer.from(bytes).toString('hex');
    throw new ArchiveRefused('', `has an entry whose name is not UTF-8 (${hex})`);
  }
}

function isSumRight(block: Buffer): boolean {
  const own = block.subarray(148, 156);
  const sum = block.reduce((total, byte) => total + byte, 0);
  const blank = own.reduce((total, byte) => total - byte, own.length * 0x20);
  return digitsOf(own) === sum + blank;
}

/** Octal digits, or a binary number behind a first byte of 0x80; none of them is negative. */
function numberOf(field: Buffer): number {
  const value = field[0] === 0x80 ? binaryOf(field) : digitsOf(field);
  if (value === undefined || !Number.isSafeInteger(value)) {
    throw new ArchiveRefused('', 'has a header with a number that is none');
  }
  return value;
}

function binaryOf(field: Buffer): number {
  return field.subarray(1).reduce((value, byte) => value * 256 + byte, 0);
}

function digitsOf(field: Buffer): number | undefined {
  const digits = /^ *([0-7]*)[ \0]*$/.exec(field.toString('latin1'))?.[1];
  return digits === undefined ? undefined : Number.parseInt(digits === '' ? '0' : digits, 8);
}

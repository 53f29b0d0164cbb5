import { FOLDER, LINK, type Mode } from './tree.ts';

export interface TarEntry {
  /** Relative, with slashes. */
  readonly path: string;
  readonly mode: Mode;
  /** Of the body in bytes; 0 for a folder and a link. */
  readonly size: number;
  readonly target?: string;
  /** Seconds since the epoch. */
  readonly changed: number;
}

export const BLOCK = 512;
const NAME = 100;
/** Of 11 octal digits. */
const LARGEST = 0o77777777777;
/** Both headers have it where a checksum is not known yet. */
const BLANK = '        ';

/**
 * The blocks before an entry's body: a ustar header, and a pax header before it for what that can't
 * say (POSIX.1-2017, pax, "pax Interchange Format").
 */
export function tarHeader({ path, mode, size, target = '', changed }: TarEntry): Buffer {
  const name = mode === FOLDER ? `${path}/` : path;
  const type = mode === FOLDER ? '5' : mode === LINK ? '2' : '0';
  const records = [
    ...(fits(name) ? [] : [paxRecord('path', name)]),
    ...(fits(target) ? [] : [paxRecord('linkpath', target)]),
    ...(size > LARGEST ? [paxRecord('size', String(size))] : []),
  ];
  const permissions = mode === FOLDER ? 0o755 : mode & 0o777;
  const own = block({ name, type, target, size: Math.min(size, LARGEST), permissions, changed });
  if (records.length === 0) return own;
  const pax = Buffer.from(records.join(''));
  const head = { name: 'PaxHeader', type: 'x', target: '', permissions: 0o644, changed };
  return Buffer.concat([block({ ...head, size: pax.length }), pax, padding(pax.length), own]);
}

/** What fills the last block of a body. */
export function padding(size: number): Buffer {
  return Buffer.alloc((BLOCK - (size % BLOCK)) % BLOCK);
}

function fits(text: string): boolean {
  return text.length <= NAME && /^[\x20-\x7e]*$/.test(text);
}

/** The length counts its own digits. */
function paxRecord(key: string, value: string): string {
  const rest = Buffer.byteLength(` ${key}=${value}\n`);
  let length = rest + String(rest).length;
  if (String(length).length > String(rest).length) length = rest + String(length).length;
  return `${length} ${key}=${value}\n`;
}

interface Fields {
  readonly name: string;
  readonly type: string;
  readonly target: string;
  readonly size: number;
  readonly permissions: number;
  readonly changed: number;
}

function block({ name, type, target, size, permissions, changed }: Fields): Buffer {
  const bytes = Buffer.alloc(BLOCK);
  const octal = (value: number, digits: number): string =>
    `${value.toString(8).padStart(digits, '0')}\0`;
  bytes.write(name, 0, NAME, 'utf8');
  bytes.write(octal(permissions, 7), 100);
  bytes.write(octal(0, 7), 108);
  bytes.write(octal(0, 7), 116);
  bytes.write(octal(size, 11), 124);
  bytes.write(octal(changed, 11), 136);
  bytes.write(BLANK, 148);
  bytes.write(type, 156);
  bytes.write(target, 157, NAME, 'utf8');
  bytes.write('ustar\x0000', 257);
  const sum = bytes.reduce((total, byte) => total + byte, 0);
  bytes.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return bytes;
}

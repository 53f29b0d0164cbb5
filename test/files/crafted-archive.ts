import { gzipSync } from 'node:zlib';

/** One header block and what follows it, as a hostile writer makes it. */
export interface Crafted {
  readonly path?: string | Buffer;
  readonly type?: string;
  readonly mode?: number;
  /** What the header says; the body's own length unless given. */
  readonly size?: number;
  readonly target?: string;
  readonly body?: string | Buffer;
  readonly magic?: string;
}

export const END = Buffer.alloc(1024);

export function entry({
  path = 'a',
  type = '0',
  mode = 0o644,
  body = '',
  target = '',
  magic = 'ustar\x0000',
  size,
}: Crafted): Buffer {
  const content = Buffer.from(body);
  const block = Buffer.alloc(512);
  Buffer.from(path).copy(block, 0, 0, 100);
  block.write(`${mode.toString(8).padStart(7, '0')}\0`, 100);
  block.write(`${(size ?? content.length).toString(8).padStart(11, '0')}\0`, 124);
  block.write('        ', 148);
  block.write(type, 156);
  block.write(target, 157, 100);
  block.write(magic, 257);
  return Buffer.concat([summed(block), padded(content)]);
}

/** With the sum that fits it, whatever was changed in it. */
export function summed(block: Buffer): Buffer {
  block.write('        ', 148);
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return block;
}

export const link = (path: string, target: string): Buffer => entry({ path, type: '2', target });
export const folder = (path: string): Buffer => entry({ path, type: '5', mode: 0o755 });

/** A pax header for the next entry, or with type `g` for all that follow. */
export function pax(records: Readonly<Record<string, string>>, type: string = 'x'): Buffer {
  const body = Object.entries(records).map(([key, value]) => {
    const rest = Buffer.byteLength(` ${key}=${value}\n`);
    const length = [1, 2, 3, 4, 5].map((digits) => rest + digits);
    return `${length.find((each) => String(each).length === each - rest)} ${key}=${value}\n`;
  });
  return entry({ path: 'PaxHeader', type, body: body.join('') });
}

/** GNU tar's form of a long name (`L`) or of a long target (`K`). */
export const gnuLong = (text: string, type: 'L' | 'K' = 'L'): Buffer =>
  entry({ path: '././@LongLink', type, body: `${text}\0`, magic: 'ustar  \0' });

export const packed = (...parts: readonly Buffer[]): Buffer =>
  gzipSync(Buffer.concat([...parts, END]));

function padded(content: Buffer): Buffer {
  return Buffer.concat([content, Buffer.alloc((512 - (content.length % 512)) % 512)]);
}

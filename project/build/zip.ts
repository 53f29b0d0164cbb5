import { crc32 } from 'node:zlib';

const FILE = 0x04034b50;
const DIRECTORY = 0x02014b50;
const END = 0x06054b50;
const VERSION = 20;
const UNIX = 3 << 8;
const UTF8_NAMES = 1 << 11;
/** 1 January 1980, 00:00: the first moment that the format knows. */
const DATE = 0x0021;
const READABLE_FILE = (0o100644 << 16) >>> 0;
const LIMIT = 0xffff_ffff;

/**
 * A zip whose bytes depend on nothing but the names and contents: sorted, one date, stored and not
 * deflated. What a deflater emits differs with its version and with the processor, and the name of
 * a package is the hash of its bytes; so the same sources give the same name on a laptop and in CI.
 */
export function zip(files: ReadonlyMap<string, Uint8Array>): Uint8Array {
  const parts: Uint8Array[] = [];
  const directory: Uint8Array[] = [];
  let offset = 0;
  const sorted = [...files].toSorted(([a], [b]) => (a < b ? -1 : 1));
  for (const [path, contents] of sorted) {
    const name = Buffer.from(path, 'utf8');
    const common = commonFields(name, contents);
    const head = Buffer.concat([uint32(FILE), common, uint16(0), name]);
    directory.push(Buffer.concat([directoryFields(common, offset), name]));
    parts.push(head, contents);
    offset += head.length + contents.length;
    if (offset > LIMIT) throw new RangeError('a package of over 4 GiB');
  }
  const size = directory.reduce((sum, entry) => sum + entry.length, 0);
  return Buffer.concat([...parts, ...directory, endOf(sorted.length, size, offset)]);
}

/** What a file's own header and its entry in the directory share. */
function commonFields(name: Uint8Array, contents: Uint8Array): Buffer {
  return Buffer.concat([
    ...[VERSION, UTF8_NAMES, 0, 0, DATE].map(uint16),
    ...[crc32(contents), contents.length, contents.length].map(uint32),
    uint16(name.length),
  ]);
}

function directoryFields(common: Uint8Array, offset: number): Buffer {
  const [signature, madeBy] = [uint32(DIRECTORY), uint16(UNIX | VERSION)];
  // No comment, the first disk, no marks: what a directory entry has beside the common fields.
  const rest = [...[0, 0, 0].map(uint16), uint32(READABLE_FILE), uint32(offset)];
  const noExtra = uint16(0);
  return Buffer.concat([signature, madeBy, common, noExtra, ...rest]);
}

function endOf(count: number, size: number, offset: number): Buffer {
  const [disk, comment] = [uint16(0), uint16(0)];
  const counts = [uint16(count), uint16(count)];
  return Buffer.concat([uint32(END), disk, disk, ...counts, uint32(size), uint32(offset), comment]);
}

function uint16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16LE(value);
  return bytes;
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

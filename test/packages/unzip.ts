import { crc32 } from 'node:zlib';

const END_SIZE = 22;
const END = 0x06054b50;
const DIRECTORY = 0x02014b50;
const FILE = 0x04034b50;

/**
 * Reads a zip by its directory, as unzip does, and checks each file; only stored ones, for we write
 * no others.
 */
export function unzip(bytes: Uint8Array): ReadonlyMap<string, Uint8Array> {
  const zip = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = zip.length - END_SIZE;
  expectSignature(zip, end, END);
  const files = new Map<string, Uint8Array>();
  let at = zip.readUInt32LE(end + 16);
  for (let left = zip.readUInt16LE(end + 10); left > 0; left -= 1) {
    expectSignature(zip, at, DIRECTORY);
    const [nameLength, extra, comment] = [28, 30, 32].map((offset) =>
      zip.readUInt16LE(at + offset),
    );
    const name = zip.toString('utf8', at + 46, at + 46 + (nameLength ?? 0));
    files.set(name, contentsAt(zip, zip.readUInt32LE(at + 42), zip.readUInt32LE(at + 16)));
    at += 46 + (nameLength ?? 0) + (extra ?? 0) + (comment ?? 0);
  }
  if (at !== end) throw new Error('the directory does not end where the zip does');
  return files;
}

function contentsAt(zip: Buffer, at: number, checksum: number): Uint8Array {
  expectSignature(zip, at, FILE);
  if (zip.readUInt16LE(at + 8) !== 0) throw new Error('not stored');
  const start = at + 30 + zip.readUInt16LE(at + 26) + zip.readUInt16LE(at + 28);
  const contents = zip.subarray(start, start + zip.readUInt32LE(at + 22));
  if (crc32(contents) !== checksum) throw new Error('wrong checksum');
  return contents;
}

function expectSignature(zip: Buffer, at: number, signature: number): void {
  if (zip.readUInt32LE(at) !== signature) throw new Error(`not a zip at byte ${at}`);
}

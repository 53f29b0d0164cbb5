import type { Encoding, Note, Problem } from '../table.ts';

export type Decoded = {
  readonly kind: 'text';
  readonly text: string;
  readonly encoding: Encoding;
  readonly notes: readonly Note[];
};

export type Undecodable = { readonly kind: 'problem'; readonly problem: Problem };

/**
 * Turns the bytes of a file into text. A byte order mark decides; without one it is UTF-8, or else Windows-1252, which
 * fits any bytes, so that guess is said aloud.
 */
export function decode(bytes: Uint8Array): Decoded | Undecodable {
  const known = FORMATS.find(({ magic }) => startsWith(bytes, magic));
  if (known !== undefined) return notText(`This is ${known.name}, not a text file.`);
  const decoded = decodeText(bytes);
  if (decoded.text.includes('\0'))
    return notText('This is a binary file, or text in an encoding without a mark.');
  return decoded;
}

function decodeText(bytes: Uint8Array): Decoded {
  if (startsWith(bytes, [0xff, 0xfe])) return text(bytes, 'utf-16le', []);
  if (startsWith(bytes, [0xfe, 0xff])) return text(bytes, 'utf-16be', []);
  try {
    return text(bytes, 'utf-8', []);
  } catch {
    return text(bytes, 'windows-1252', [
      {
        code: 'encoding-guessed',
        message:
          'The file is not valid UTF-8; it was read as Windows-1252. Check accented letters.',
      },
    ]);
  }
}

function text(bytes: Uint8Array, encoding: Encoding, notes: readonly Note[]): Decoded {
  // The decoder drops the byte order mark itself. A UTF-16 file that was cut in two still deserves its readable part.
  const decoder = new TextDecoder(encoding, { fatal: encoding === 'utf-8' });
  return { kind: 'text', text: decoder.decode(bytes), encoding, notes };
}

function notText(what: string): Undecodable {
  return {
    kind: 'problem',
    problem: { code: 'not-text', message: `${what} Export the table as CSV and send that.` },
  };
}

function startsWith(bytes: Uint8Array, prefix: readonly number[]): boolean {
  return prefix.every((byte, index) => bytes[index] === byte);
}

/** The files that people most often send in place of a CSV. */
const FORMATS = [
  { name: 'an Excel workbook or another ZIP file', magic: [0x50, 0x4b, 0x03, 0x04] },
  { name: 'an old Excel workbook', magic: [0xd0, 0xcf, 0x11, 0xe0] },
  { name: 'a PDF', magic: [0x25, 0x50, 0x44, 0x46, 0x2d] },
  { name: 'a gzip file', magic: [0x1f, 0x8b] },
  { name: 'a Parquet file', magic: [0x50, 0x41, 0x52, 0x31] },
];

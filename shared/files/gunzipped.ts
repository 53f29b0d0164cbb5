import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { ArchiveRefused } from './archive-refused.ts';

/** What this many bytes unpack to says nothing of a ratio yet. */
const FREE = 1024 * 1024;
const PIECE = 64 * 1024;

/** An error of what is read, and none of the archive. */
class SourceFailed extends Error {}

class Source {
  /** Handed out so far. */
  bytes = 0;
  readonly #pieces: AsyncIterable<Uint8Array>;

  constructor(pieces: AsyncIterable<Uint8Array>) {
    this.#pieces = pieces;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    try {
      for await (const piece of this.#pieces) {
        this.bytes += piece.byteLength;
        yield piece;
      }
    } catch (error) {
      throw new SourceFailed('the source', { cause: error });
    }
  }
}

/**
 * The content of a gzip file of any number of members (RFC 1952), in pieces of at most 64 KiB.
 * Throws ArchiveRefused for what is no gzip file, is cut off, damaged or goes on behind its end,
 * and before it has unpacked more than `ratio` times as many bytes as came in.
 */
export async function* gunzipped(
  source: AsyncIterable<Uint8Array>,
  ratio: number,
): AsyncGenerator<Uint8Array> {
  const gunzip = createGunzip({ chunkSize: PIECE });
  const counted = new Source(source);
  const feeding = pipeline(counted, gunzip);
  // Thrown where the content is read.
  feeding.catch(() => undefined);
  let unpacked = 0;
  try {
    for await (const piece of gunzip as AsyncIterable<Buffer>) {
      unpacked += piece.byteLength;
      if (unpacked > FREE + ratio * gunzip.bytesWritten) {
        throw new ArchiveRefused('', `unpacks to more than ${ratio} times its size`);
      }
      yield piece;
    }
    await feeding;
    // Zeros behind the last member are passed over in silence.
    if (gunzip.bytesWritten < counted.bytes) throw goesOn();
  } catch (error) {
    throw error instanceof SourceFailed ? error.cause : refusalOf(error);
  }
}

function refusalOf(error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'Z_BUF_ERROR') return new ArchiveRefused('', 'is cut off');
  if (code.startsWith('Z_')) return new ArchiveRefused('', 'is no gzip file, or is damaged');
  // The last member ended while there was more to read.
  const early = code === 'ERR_STREAM_PREMATURE_CLOSE';
  return early ? goesOn() : error;
}

function goesOn(): ArchiveRefused {
  return new ArchiveRefused('', 'goes on behind its end');
}

import { createHash } from 'node:crypto';
import {
  closeSync,
  createReadStream,
  existsSync,
  fstatSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import type { BlobStream, ByteRange } from '../ports/blobs.ts';
import { Fault, Unavailable } from '../ports/faults.ts';

/** A draft this old belongs to a process that died. */
const ABANDONED = 60 * 60_000;
/** Read at once of a large body. */
const PIECE = 256 * 1024;

export function readBody(path: string): Uint8Array | undefined {
  return unlessAbsent(() => new Uint8Array(readFileSync(path)));
}

/** SHA-256 of a body of any size. */
export function digestOfBody(path: string): string | undefined {
  return unlessAbsent(() => {
    const hash = createHash('sha256');
    const file = openSync(path, 'r');
    try {
      const piece = Buffer.allocUnsafe(PIECE);
      for (let read = readSync(file, piece); read > 0; read = readSync(file, piece)) {
        hash.update(piece.subarray(0, read));
      }
    } finally {
      closeSync(file);
    }
    return hash.digest('hex');
  });
}

/** An open file keeps the body that it had, whatever is renamed to its place. */
export function streamBody(path: string, range: ByteRange = { offset: 0 }): BlobStream | undefined {
  return unlessAbsent(() => {
    const file = openSync(path, 'r');
    const found = fstatSync(file);
    const { offset, length = Infinity } = range;
    const end = Math.min(offset + length, found.size) - 1;
    if (!found.isFile() || end < offset) {
      closeSync(file);
      return found.isFile() ? { size: found.size, body: nothing() } : undefined;
    }
    const stream = createReadStream(path, { fd: file, start: offset, end, highWaterMark: PIECE });
    return { size: found.size, body: piecesOf(stream) };
  });
}

async function* nothing(): AsyncGenerator<never> {}

async function* piecesOf(stream: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* stream;
  } catch (error) {
    throw new Unavailable('the object folder', error);
  }
}

/** A body on its way: a file that has no name of an object yet. */
export class Draft {
  readonly path: string;
  readonly #file: number;
  readonly #hash = createHash('sha256');
  #open = true;

  constructor(path: string) {
    this.path = path;
    this.#file = guarded(() => openSync(path, 'wx', 0o600));
  }

  write(piece: Uint8Array): void {
    this.#hash.update(piece);
    for (let at = 0; at < piece.byteLength; ) {
      at += guarded(() => writeSync(this.#file, piece, at));
    }
  }

  /** Closes the file, on the disk where `flush` says so, and answers the body's SHA-256. */
  end(flush: boolean): string {
    guarded(() => {
      if (flush) fsyncSync(this.#file);
      this.#close();
    });
    return this.#hash.digest('hex');
  }

  /** Removes what was not moved into an object's place. */
  discard(): void {
    this.#close();
    rmSync(this.path, { force: true });
  }

  #close(): void {
    if (this.#open) closeSync(this.#file);
    this.#open = false;
  }
}

export function makeFolder(path: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
}

/** A draft that is gone was moved by another process, or deleted with its object. */
export function moveInto(draft: string, path: string): void {
  try {
    renameSync(draft, path);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
    if (!existsSync(draft)) return;
    // The folder was removed meanwhile, with the last object that lay in it.
    makeFolder(path);
    moveInto(draft, path);
  }
}

/** Others may be at work on younger ones. */
export function removeAbandoned(draft: string): void {
  const written = statSync(draft, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  if (written < Date.now() - ABANDONED) rmSync(draft, { force: true });
}

export function removeEmptyFolders(root: string, folder: string): void {
  try {
    for (let empty = folder; empty !== root; empty = dirname(empty)) rmdirSync(empty);
  } catch {
    // The first that is not empty, or not there, ends the way up.
  }
}

export function guarded<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof Fault || error instanceof TypeError) throw error;
    const code = codeOf(error);
    // Here an object can't be the folder of another, as it can in a bucket; no layout needs that.
    if (['ENOTDIR', 'EISDIR', 'ENOTEMPTY', 'EEXIST'].includes(code)) {
      throw new Fault('BadName', 'stop', 'an object and a folder of one name', error);
    }
    throw code === '' ? error : new Unavailable('the object folder', error);
  }
}

/** A folder in its place, or a file in its folder's place: no object of that name. */
function unlessAbsent<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'EISDIR'].includes(codeOf(error))) return undefined;
    throw error;
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

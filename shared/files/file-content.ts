import { closeSync, constants, openSync, readFileSync, readlinkSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline, Readable } from 'node:stream';
import { createDeflate } from 'node:zlib';
import { WorkspaceRefused } from '../ports/workspaces.ts';
import { objectHash, objectId } from './object-id.ts';
import { encodeEntryHeader } from './pack-entry.ts';
import type { PackObject } from './pack-writer.ts';
import { LINK } from './tree.ts';
import { turn } from './turns.ts';
import type { FileNode } from './walk.ts';
import { LEVEL, levelFor, zip } from './zipped.ts';

/** What is larger is read in pieces of a MiB. */
const WHOLE = 4 * 1024 * 1024;
const PIECE = 1024 * 1024;
/** A link is not followed, and a pipe is not waited for. */
const READ = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** The id of a file's content as it is now. Throws WorkspaceRefused if it is changed meanwhile. */
export async function contentId(folder: string, file: FileNode): Promise<string> {
  if (file.size <= WHOLE) return objectId('blob', contentOf(folder, file));
  const hash = objectHash('blob', file.size);
  for await (const piece of piecesOf(folder, file)) hash.update(piece);
  return hash.digest('hex');
}

/** A file on its way into a pack. It is read again, and must still be what was hashed. */
export function fileObject(folder: string, file: FileNode): PackObject {
  const { id, size } = file;
  return { id, kind: 'blob', bytes: size + 32, entry: () => entryOf(folder, file) };
}

async function* entryOf(folder: string, file: FileNode): AsyncGenerator<Uint8Array> {
  const header = encodeEntryHeader('blob', file.size);
  if (file.size <= WHOLE) {
    const body = contentOf(folder, file);
    if (objectId('blob', body) !== file.id) throw changed(file);
    yield Buffer.concat([header, await zip(body)]);
    return;
  }
  yield header;
  const hash = objectHash('blob', file.size);
  const pieces = piecesOf(folder, file);
  const first = await pieces.next();
  const level = first.done === true ? LEVEL : levelFor(first.value);
  const deflate = createDeflate({ level, chunkSize: PIECE });
  // An error on either side destroys the other, and is thrown by the loop.
  pipeline(Readable.from(hashed()), deflate, () => undefined);
  const chunks: AsyncIterable<Uint8Array> = deflate;
  yield* chunks;
  if (hash.digest('hex') !== file.id) throw changed(file);

  async function* hashed(): AsyncGenerator<Uint8Array> {
    for (let next = first; next.done !== true; next = await pieces.next()) {
      hash.update(next.value);
      yield next.value;
    }
  }
}

function contentOf(folder: string, file: FileNode): Buffer {
  const path = join(folder, file.path);
  const body =
    file.mode === LINK
      ? readlinkSync(path, { encoding: 'buffer' })
      : opened(path, (fd) => readFileSync(fd));
  if (body.length !== file.size) throw changed(file);
  return body;
}

function opened<T>(path: string, read: (fd: number) => T): T {
  const fd = openSync(path, READ);
  try {
    return read(fd);
  } finally {
    closeSync(fd);
  }
}

async function* piecesOf(folder: string, file: FileNode): AsyncGenerator<Uint8Array> {
  const fd = openSync(join(folder, file.path), READ);
  try {
    let rest = file.size;
    while (rest > 0) {
      const piece = Buffer.allocUnsafe(Math.min(PIECE, rest));
      const length = readSync(fd, piece);
      if (length === 0) throw changed(file);
      rest -= length;
      yield piece.subarray(0, length);
      await turn();
    }
    if (readSync(fd, Buffer.alloc(1)) > 0) throw changed(file);
  } finally {
    closeSync(fd);
  }
}

function changed({ path }: FileNode): WorkspaceRefused {
  return new WorkspaceRefused(path, 'was changed while it was being saved');
}

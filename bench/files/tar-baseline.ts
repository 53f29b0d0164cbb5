import { createReadStream, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { padding, tarHeader } from '../../shared/files/tar-header.ts';
import { FILE, FOLDER } from '../../shared/files/tree.ts';
import type { Blobs } from '../../shared/ports/blobs.ts';

/** The other way: everything into one tar.gz, at zlib's default level, and up. */
export async function tarAndUpload(blobs: Blobs, object: string, folder: string): Promise<void> {
  const gzip = createGzip();
  const packing = pipeline(Readable.from(tarOf(folder), { objectMode: false }), gzip);
  const body: AsyncIterable<Uint8Array> = gzip;
  await blobs.putStream(object, body, { contentType: 'application/gzip', expect: 'absent' });
  await packing;
}

async function* tarOf(folder: string): AsyncGenerator<Uint8Array> {
  for (const path of pathsOf(folder, '')) {
    const stats = lstatSync(join(folder, path));
    const changed = Math.floor(stats.mtimeMs / 1_000);
    if (stats.isDirectory()) yield tarHeader({ path, mode: FOLDER, size: 0, changed });
    else {
      yield tarHeader({ path, mode: FILE, size: stats.size, changed });
      const file: AsyncIterable<Uint8Array> = createReadStream(join(folder, path));
      yield* file;
      yield padding(stats.size);
    }
  }
  yield Buffer.alloc(1_024);
}

function* pathsOf(folder: string, prefix: string): Generator<string> {
  for (const entry of readdirSync(join(folder, prefix), { withFileTypes: true })) {
    const path = prefix === '' ? entry.name : `${prefix}/${entry.name}`;
    yield path;
    if (entry.isDirectory()) yield* pathsOf(folder, path);
  }
}

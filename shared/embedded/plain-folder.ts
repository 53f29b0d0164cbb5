import { createReadStream, existsSync } from 'node:fs';
import { lstat, opendir, readFile, realpath } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { ArchiveSource } from '../ports/archive-source.ts';
import type { BlobEntry } from '../ports/blobs.ts';
import { Unavailable } from '../ports/faults.ts';
import { bodyPath } from './object-names.ts';
import { PACK } from './packed-objects.ts';
import { type PackReader, readPack } from './read-pack.ts';
import { streamOf } from './stream-of.ts';

const PAGE = 500;

/**
 * A folder that a bucket was copied to, or the objects of a data folder. Only plain files count,
 * and what lies in its pack: no link is followed, and nothing is written. Throws Unavailable and
 * Unreadable where there is a pack that can't be read.
 */
export function openPlainFolder(root: string): ArchiveSource {
  const file = join(root, PACK);
  const pack: PackReader | undefined = existsSync(file) ? readPack(file) : undefined;

  /** As a data folder writes the name, or as a copy of a bucket does. */
  async function fileOf(name: string): Promise<string | undefined> {
    for (const path of new Set([bodyPath(root, name), join(root, ...name.split('/'))])) {
      const found = await ifThere(() => lstat(path));
      if (found?.isFile() === true && (await isWithin(path))) return path;
    }
    return undefined;
  }

  /** A folder on the way may be a link, too. */
  async function isWithin(path: string): Promise<boolean> {
    const [above, real] = await Promise.all([realpath(root), realpath(path)]);
    return real === join(above, relative(root, path));
  }

  async function* walk(folder: string, name: string): AsyncGenerator<BlobEntry> {
    const entries = await ifThere(() => opendir(folder));
    if (entries === undefined) return;
    for await (const entry of entries) {
      const path = join(folder, entry.name);
      // Where a data folder cuts a long segment, all its folders but the last end in a bare `%`.
      const cut = entry.isDirectory() && entry.name.endsWith('%');
      const named = name + decoded(cut ? entry.name.slice(0, -1) : entry.name);
      if (entry.isDirectory()) yield* walk(path, cut ? named : `${named}/`);
      if (!entry.isFile()) continue;
      const found = await ifThere(() => lstat(path));
      if (found !== undefined) yield { name: named, size: found.size, createdAt: found.mtimeMs };
    }
  }

  return {
    async *entries(prefix) {
      if (pack !== undefined) yield* pack.entries(prefix);
      let page: BlobEntry[] = [];
      for await (const entry of walk(join(root, ...prefix.split('/')), prefix)) {
        if (pack?.get(entry.name) !== undefined) continue;
        page.push(entry);
        if (page.length < PAGE) continue;
        yield page;
        page = [];
      }
      yield page;
    },
    async get(name) {
      const packed = pack?.get(name);
      if (packed !== undefined) return packed;
      const path = await fileOf(name);
      const body = path && (await ifThere(() => readFile(path)));
      if (body === undefined || body === '') return undefined;
      const contentType = 'application/octet-stream';
      return { body: new Uint8Array(body), contentType, generation: '', metadata: {} };
    },
    async getStream(name) {
      const packed = pack?.get(name);
      if (packed !== undefined) return streamOf(packed.body);
      const path = await fileOf(name);
      const found = path === undefined ? undefined : await ifThere(() => lstat(path));
      if (path === undefined || found === undefined) return undefined;
      return { size: found.size, body: bytesOf(path) };
    },
  };
}

/** Opened when it is first read. */
async function* bytesOf(path: string): AsyncGenerator<Uint8Array> {
  yield* createReadStream(path);
}

function decoded(segment: string): string {
  return segment.replace(/(?:%[0-9A-F]{2})+/g, (bytes) =>
    Buffer.from(bytes.replaceAll('%', ''), 'hex').toString('utf8'),
  );
}

async function ifThere<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw new Unavailable('the folder', error);
  }
}

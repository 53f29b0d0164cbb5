import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import type { BlobEntry, Blobs, BlobWrite } from '../ports/blobs.ts';
import { type FolderBlobs, type FolderBlobsOptions, openFolderBlobs } from './folder-blobs.ts';
import { bodyPath } from './object-names.ts';
import { PACK, PackedObjects } from './packed-objects.ts';
import type { SqliteOptions } from './sqlite-file.ts';
import { streamOf } from './stream-of.ts';

/**
 * The objects of a data folder. Those that are written as one of very many small ones lie together
 * in a SQLite file, and stay there; each of the others is a file. One that a version before this
 * left as a file is read there until its next write.
 */
export function openPackedBlobs({
  root,
  ...sqlite
}: FolderBlobsOptions & Pick<SqliteOptions, 'busyTimeout'>): FolderBlobs {
  const files = openFolderBlobs({ root, ...sqlite });
  const pack = new PackedObjects({ file: join(root, PACK), ...sqlite });
  // Every version that packed nothing made this folder with its first archive.
  const hasOld = existsSync(join(root, 'tasks'));
  const isOldFile = (name: string): boolean => hasOld && existsSync(bodyPath(root, name));

  const put: Blobs['put'] = async (name, body, write) => {
    const packs = write.small === true || pack.has(name);
    if (!packs) return files.put(name, body, write);
    const isOld = isOldFile(name) && !pack.has(name);
    return isOld ? replaceFile(name, body, write) : pack.put(name, body, write);
  };

  /** A process that dies in between leaves a file that no reader is shown any more. */
  async function replaceFile(name: string, body: Uint8Array, write: BlobWrite) {
    const present = await files.get(name);
    if (present !== undefined && present.generation !== write.expect) return 'stale';
    const written = await pack.put(name, body, { ...write, expect: 'absent' });
    if (written !== 'stale') await files.delete(name);
    return written;
  }

  async function list(prefix: string, limit: number, after = ''): Promise<readonly BlobEntry[]> {
    const packed = pack.list(prefix, limit, after);
    const plain = await files.list(prefix, limit, after);
    if (packed.length === 0) return plain;
    const known = new Set(packed.map(({ name }) => name));
    return [...packed, ...plain.filter(({ name }) => !known.has(name))]
      .toSorted((a, b) => Buffer.compare(Buffer.from(a.name), Buffer.from(b.name)))
      .slice(0, limit);
  }

  return {
    get: async (name) => pack.get(name) ?? files.get(name),
    async getStream(name, range) {
      const packed = pack.get(name);
      return packed === undefined ? files.getStream(name, range) : streamOf(packed.body, range);
    },
    put,
    async putStream(name, body, write) {
      const packs = write.small === true || pack.has(name);
      return packs ? put(name, await buffer(body), write) : files.putStream(name, body, write);
    },
    async delete(name) {
      await pack.delete(name);
      await files.delete(name);
    },
    list,
    async close() {
      pack.close();
      await files.close();
    },
  };
}

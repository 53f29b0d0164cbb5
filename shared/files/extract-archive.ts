import { closeSync, mkdirSync, openSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type ArchiveLimits, readArchive } from './read-archive.ts';
import { Slices, turn } from './turns.ts';
import { wipe } from './wipe.ts';
import { CREATE, permissions, writeAll } from './write-file.ts';

export interface Extracted {
  /** Files and links. */
  readonly count: number;
  readonly bytes: number;
}

/**
 * Unpacks a `.tar.gz` that may come from anyone into a folder that it makes. Files are new and are
 * not opened through a link; links come last, so that nothing is written through one. A folder that
 * is there is a fault, and stays as it is. Otherwise the folder is whole, or is gone again: throws
 * ArchiveRefused, and what the source throws.
 */
export async function extractArchive(
  source: AsyncIterable<Uint8Array>,
  folder: string,
  limits: ArchiveLimits,
): Promise<Extracted> {
  mkdirSync(folder, { mode: 0o700 });
  try {
    return await extract(source, folder, limits);
  } catch (error) {
    wipe(folder);
    throw error;
  }
}

async function extract(
  source: AsyncIterable<Uint8Array>,
  folder: string,
  limits: ArchiveLimits,
): Promise<Extracted> {
  const slices = new Slices();
  const links = new Map<string, string>();
  let count = 0;
  let bytes = 0;
  for await (const entry of readArchive(source, limits)) {
    const path = join(folder, entry.path);
    if (entry.kind === 'folder') {
      mkdirSync(path, { recursive: true });
      continue;
    }
    count += 1;
    mkdirSync(dirname(path), { recursive: true });
    if (entry.kind === 'link') {
      links.set(path, entry.target);
      bytes += Buffer.byteLength(entry.target);
      continue;
    }
    bytes += entry.size;
    const file = openSync(path, CREATE, permissions(entry.mode));
    try {
      for await (const piece of entry.body) {
        writeAll(file, piece);
        if (slices.due(piece.byteLength)) await turn();
      }
    } finally {
      closeSync(file);
    }
  }
  for (const [path, target] of links) symlinkSync(target, path);
  return { count, bytes };
}

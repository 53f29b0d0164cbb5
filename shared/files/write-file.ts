import {
  type BigIntStats,
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
  fstatSync,
  lstatSync,
  openSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import type { Mode } from './tree.ts';
import { stampOf } from './walk.ts';

/** What the disk says of a file that was just written. */
export interface Written {
  readonly size: number;
  readonly stamp: string;
  readonly changedAt: bigint;
}

/** New, and not through a link that lies there. */
export const CREATE =
  constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;

export function writeFile(path: string, body: Uint8Array, mode: Mode): Written {
  const fd = openSync(path, CREATE, permissions(mode));
  try {
    writeAll(fd, body);
    return writtenOf(fstatSync(fd, { bigint: true }));
  } finally {
    closeSync(fd);
  }
}

/** Writes a draft; none stays if the body throws. */
export async function writeDraft(draft: string, body: AsyncIterable<Uint8Array>): Promise<void> {
  const fd = openSync(draft, CREATE, 0o600);
  try {
    for await (const chunk of body) writeAll(fd, chunk);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  } finally {
    closeSync(fd);
  }
}

/** Makes the draft the content of that file, and of copies where there are more; all are new. */
export function placeDraft<T extends { readonly path: string; readonly mode: Mode }>(
  draft: string,
  places: readonly T[],
): readonly (T & Written)[] {
  const last = places.at(-1);
  return places.map((place) => {
    const { path, mode } = place;
    if (place === last) renameSync(draft, path);
    else copyFileSync(draft, path, constants.COPYFILE_EXCL);
    chmodSync(path, permissions(mode));
    return { ...place, ...writtenOf(lstatSync(path, { bigint: true })) };
  });
}

export function writtenOf(stats: BigIntStats): Written {
  return { size: Number(stats.size), stamp: stampOf(stats), changedAt: stats.ctimeNs };
}

export function permissions(mode: Mode): number {
  return mode & 0o777;
}

export function writeAll(fd: number, bytes: Uint8Array): void {
  for (let done = 0; done < bytes.byteLength; ) done += writeSync(fd, bytes, done);
}

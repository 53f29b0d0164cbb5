import { lstatSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Mode } from './tree.ts';
import type { FileNode } from './walk.ts';

/** What a file was when its content was last seen. */
export interface KnownFile {
  readonly id: string;
  readonly mode: Mode;
  /** Empty: seen too soon after a change to vouch for anything. */
  readonly stamp: string;
}

/**
 * Two changes within one tick of a disk's clock look like one. The coarsest clock that Linux uses
 * for it ticks every 10 ms.
 */
const TICKS = 20_000_000n;

/** By path. What the disk says of a file vouches for its content while the two stamps agree. */
export class KnownFiles {
  readonly #files = new Map<string, KnownFile>();

  get(path: string): KnownFile | undefined {
    return this.#files.get(path);
  }

  /** `seenAt`: the disk's time before the content was read, or after it was written. */
  set(file: Pick<FileNode, 'path' | 'id' | 'mode' | 'stamp' | 'changedAt'>, seenAt: bigint): void {
    const { path, id, mode, changedAt } = file;
    const stamp = changedAt < seenAt - TICKS ? file.stamp : '';
    this.#files.set(path, { id, mode, stamp });
  }

  /** As another knew it. */
  take(path: string, from: KnownFiles | undefined): void {
    const known = from?.get(path);
    if (known !== undefined) this.#files.set(path, known);
  }

  /** The content's id, if the file can't have been changed since. */
  vouchedId({ path, stamp }: FileNode): string | undefined {
    const known = this.#files.get(path);
    return known !== undefined && known.stamp === stamp ? known.id : undefined;
  }
}

/** The time of the disk's clock, in nanoseconds, which need not be the process's. */
export function diskTime(probe: string): bigint {
  const path = join(probe, 'time');
  writeFileSync(path, '.');
  return lstatSync(path, { bigint: true }).mtimeNs;
}

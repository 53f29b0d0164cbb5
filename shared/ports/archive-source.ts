import type { Blob, BlobEntry, BlobStream } from './blobs.ts';

/**
 * Where objects are read from that this installation did not write, or does not remember: a bucket,
 * or a folder that one was copied to. Nothing in it is ever changed. Throws Unavailable.
 */
export interface ArchiveSource {
  /** Every object whose name starts with the prefix, which ends with `/`; in no certain order. */
  entries(prefix: string): AsyncIterable<readonly BlobEntry[]>;
  /** A folder keeps no metadata: there it is empty. */
  get(name: string): Promise<Blob | undefined>;
  getStream(name: string): Promise<BlobStream | undefined>;
}

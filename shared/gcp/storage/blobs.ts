import type { Millis } from '../../domain/brand.ts';
import type { Blobs, BlobWrite, BlobWritten } from '../../ports/blobs.ts';
import { repeatedCall } from '../repeated-call.ts';
import { beginningOf } from './beginning-of.ts';
import type { BucketOptions } from './bucket-options.ts';
import { type StorageClient, openBucket } from './client.ts';
import { downloadStream } from './download-stream.ts';
import { deleteGenerations, listEntries } from './listing.ts';
import { requireObjectName } from '../../ports/object-name.ts';
import { faultOf } from './outcome.ts';
import { readObject } from './read-object.ts';
import { PIECE, uploadStream } from './upload-stream.ts';
import { isExpectable, writeObject } from './write-object.ts';

export interface GcsBlobsOptions extends BucketOptions {
  /**
   * A call that has no answer after this many milliseconds is given up; a large body gets more, a
   * second for each MiB.
   */
  readonly deadline?: number;
}

const MEBIBYTE = 1024 * 1024;
/** Of the deadline, for the first attempt. */
const FIRST = 0.3;

/**
 * Objects in a bucket of Cloud Storage. Deletion takes every generation, also in a bucket with
 * versioning; a bucket with a soft delete policy keeps them for its span all the same. Nothing is
 * loaded or connected before the first call.
 */
export function createGcsBlobs(options: GcsBlobsOptions): Blobs {
  const { deadline = 10_000 } = options;
  let opening: Promise<StorageClient> | undefined;

  /** The time that the client takes to load is not the service's. */
  async function ask<T>(
    prepare: (client: StorageClient) => (allowed: Millis) => Promise<T>,
    bytes: number = 0,
  ): Promise<T> {
    opening ??= openBucket(options);
    const extra = (bytes / MEBIBYTE) * 1_000;
    const allowed = { deadline: deadline + extra, first: deadline * FIRST + extra };
    const attempt = prepare(await opening);
    return repeatedCall({ what: 'Cloud Storage', ...allowed, faultOf }, attempt);
  }

  async function put(name: string, body: Uint8Array, write: BlobWrite): Promise<BlobWritten> {
    requireObjectName(name);
    return ask((client) => writeObject(client, name, body, write), body.byteLength);
  }

  return {
    async get(name) {
      requireObjectName(name);
      return ask((client) => () => readObject(client.once, name));
    },
    async getStream(name, range) {
      requireObjectName(name);
      return ask(
        ({ once }) =>
          (allowed) =>
            downloadStream(once, name, range, { opening: allowed, silence: deadline }),
      );
    },
    put,
    async putStream(name, body, write) {
      requireObjectName(name);
      if (!isExpectable(write.expect)) return 'stale';
      const { head, rest } = await beginningOf(body, PIECE);
      if (rest === undefined) return put(name, head, write);
      opening ??= openBucket(options);
      const silence = deadline + (PIECE / MEBIBYTE) * 1_000;
      return uploadStream(await opening, name, rest, write, silence);
    },
    async delete(name) {
      requireObjectName(name);
      return ask((client) => () => deleteGenerations(client.once, name));
    },
    async list(prefix, limit, after) {
      return limit <= 0
        ? []
        : ask((client) => () => listEntries(client.once, prefix, limit, after));
    },
  };
}

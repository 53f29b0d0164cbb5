import type { Bucket, File } from '@google-cloud/storage';
import type { Blobs } from '../../ports/blobs.ts';
import { repeatedCall } from '../repeated-call.ts';
import { type BucketOptions, type StorageClient, openBucket } from './client.ts';
import { requireName } from './object-name.ts';
import { faultOf, answerOf } from './outcome.ts';
import { readObject } from './read-object.ts';
import { writeObject } from './write-object.ts';

export interface GcsBlobsOptions extends BucketOptions {
  /**
   * A call that has no answer after this many milliseconds is given up; a large body gets more, a
   * second for each MiB.
   */
  readonly deadline?: number;
}

/** The service's largest page. */
const PAGE = 1_000;
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
    prepare: (client: StorageClient) => () => Promise<T>,
    bytes: number = 0,
  ): Promise<T> {
    opening ??= openBucket(options);
    const extra = (bytes / MEBIBYTE) * 1_000;
    const allowed = { deadline: deadline + extra, first: deadline * FIRST + extra };
    const attempt = prepare(await opening);
    return repeatedCall({ what: 'Cloud Storage', ...allowed, faultOf }, attempt);
  }

  return {
    async get(name) {
      requireName(name);
      return ask((client) => () => readObject(client.once, name));
    },
    async put(name, body, write) {
      requireName(name);
      return ask((client) => writeObject(client, name, body, write), body.byteLength);
    },
    async delete(name) {
      requireName(name);
      return ask((client) => () => deleteGenerations(client.once, name));
    },
    async list(prefix, limit, after) {
      return limit <= 0 ? [] : ask((client) => () => listNames(client.once, prefix, limit, after));
    },
  };
}

async function listNames(
  bucket: Bucket,
  prefix: string,
  limit: number,
  after: string | undefined,
): Promise<readonly string[]> {
  const names: string[] = [];
  // The offset is inclusive: one more than asked for.
  const wanted = after === undefined ? limit : limit + 1;
  const query = {
    prefix,
    ...(after !== undefined && { startOffset: after }),
    maxResults: Math.min(wanted, PAGE),
    fields: 'items(name),nextPageToken',
  };
  for await (const { name } of pagesOf(bucket, query)) {
    if (name !== after) names.push(name);
    if (names.length === limit) break;
  }
  return names;
}

interface Listed {
  readonly name: string;
  readonly generation: string;
}

/**
 * In the order of their names, generations of one name by age. Where fields are asked for, the
 * client hands out the bare resources, whatever its types say.
 */
async function* pagesOf(bucket: Bucket, query: object): AsyncIterable<Listed> {
  for (let next: object | null = { ...query, autoPaginate: false }; next !== null; ) {
    const [files, following]: [File[], object | null, ...unknown[]] = await bucket.getFiles(next);
    for (const { name, generation } of files) yield { name, generation: String(generation) };
    next = following;
  }
}

/** The name itself comes first among those that begin with it. */
async function deleteGenerations(bucket: Bucket, name: string): Promise<void> {
  const query = {
    prefix: name,
    versions: true,
    maxResults: 100,
    fields: 'items(name,generation),nextPageToken',
  };
  const doomed: string[] = [];
  for await (const each of pagesOf(bucket, query)) {
    if (each.name !== name) break;
    doomed.push(each.generation);
  }
  for (const generation of doomed) {
    try {
      await bucket.file(name, { generation }).delete();
    } catch (error) {
      if (answerOf(error) !== 404) throw error;
    }
  }
}

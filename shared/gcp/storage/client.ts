import { EventEmitter } from 'node:events';
import type { Bucket } from '@google-cloud/storage';
import { optional } from '../../ports/optional-package.ts';
import type { BucketOptions } from './bucket-options.ts';

type Library = typeof import('@google-cloud/storage');

const LISTENERS = 20;

let loading: Promise<Library> | undefined;

/**
 * Loading costs some 90 ms of a cold start, so a function that touches no object never pays for it.
 */
function load(): Promise<Library> {
  // It chains more streams behind a download than Node takes for sane, and each large one would
  // print two warnings.
  EventEmitter.defaultMaxListeners = Math.max(EventEmitter.defaultMaxListeners, LISTENERS);
  loading ??= optional(import('@google-cloud/storage'));
  return loading;
}

/**
 * The bucket, twice: each call once, and with the client's own repetitions, which resume an upload
 * where it broke.
 */
export interface StorageClient {
  readonly once: Bucket;
  readonly resuming: Bucket;
}

export async function openBucket(options: BucketOptions): Promise<StorageClient> {
  const { Storage } = await load();
  const { bucket, projectId, endpoint } = options;
  const common = {
    ...(projectId !== undefined && { projectId }),
    ...(endpoint !== undefined && { apiEndpoint: endpoint }),
  };
  const once = new Storage({ ...common, retryOptions: { autoRetry: false } });
  const resuming = new Storage({ ...common, retryOptions: { maxRetries: 5, maxRetryDelay: 4 } });
  return { once: once.bucket(bucket), resuming: resuming.bucket(bucket) };
}

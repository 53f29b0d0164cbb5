import { afterAll, beforeAll } from 'vitest';
import { createGcsBlobs } from '../../shared/gcp/storage/blobs.ts';
import { type StorageEmulator, startStorageEmulator } from '../emulators/storage/start.ts';
import { openTasksQueue } from '../google/tasks-queue.ts';
import { blobsSuite } from './blobs.suite.ts';
import { queueSuite } from './queue.suite.ts';

let storage: StorageEmulator;
beforeAll(async () => {
  storage = await startStorageEmulator();
});
afterAll(() => storage.close());

for (const versioning of [false, true]) {
  blobsSuite(`Cloud Storage, versioning ${versioning}`, async () => {
    const bucket = `bucket-${versioning}`;
    storage.buckets.create(bucket, versioning);
    const options = { bucket, endpoint: storage.url };
    return {
      blobs: createGcsBlobs(options),
      other: createGcsBlobs(options),
      close: async () => {},
    };
  });
}

queueSuite('Cloud Tasks', (setting) => openTasksQueue(setting));

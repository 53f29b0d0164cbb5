import { afterAll, beforeAll } from 'vitest';
import { createGcsBlobs } from '../../shared/gcp/storage/blobs.ts';
import { type StorageEmulator, startStorageEmulator } from '../../emulators/storage/start.ts';
import { openTasksQueue } from '../google/tasks-queue.ts';
import { createKmsSealer } from '../../shared/gcp/kms/sealer.ts';
import { type KmsEmulator, startKmsEmulator } from '../../emulators/kms/start.ts';
import { blobsSuite } from './blobs.suite.ts';
import { queueSuite } from './queue.suite.ts';
import { sealerSuite } from './sealer.suite.ts';

let storage: StorageEmulator;
let kms: KmsEmulator;
beforeAll(async () => {
  storage = await startStorageEmulator();
  kms = await startKmsEmulator();
});
afterAll(async () => {
  await storage.close();
  await kms.close();
});

for (const versioning of [false, true]) {
  blobsSuite(`Cloud Storage, versioning ${versioning}`, async () => {
    const bucket = `bucket-${versioning}`;
    storage.buckets.create(bucket, versioning);
    const options = { bucket, endpoint: storage.url };
    return {
      blobs: createGcsBlobs(options),
      other: createGcsBlobs(options),
      pending: storage.pending,
      close: async () => {},
    };
  });
}

queueSuite('Cloud Tasks', (setting) => openTasksQueue(setting));

sealerSuite('Cloud KMS', async () => {
  const open = (key: string) => {
    const keyName = `projects/p/locations/l/keyRings/r/cryptoKeys/${key}`;
    kms.key(keyName);
    return createKmsSealer({ keyName, endpoint: kms.url });
  };
  return { sealer: open('own'), again: open('own'), foreign: open('foreign') };
});

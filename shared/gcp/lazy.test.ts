import { createRequire } from 'node:module';
import { afterAll, expect, test } from 'vitest';
import { startStorageEmulator } from '../../emulators/storage/start.ts';
import { createKmsSealer } from './kms/sealer.ts';
import { createGcsBlobs } from './storage/blobs.ts';
import { createTasksQueue } from './tasks/queue.ts';

// Vitest loads packages by Node itself, so what is CommonJS of them is in Node's own cache.
const loaded = (): string[] =>
  Object.keys(createRequire(import.meta.url).cache).flatMap(
    (file) => /node_modules\/(google-[a-z-]+|teeny-request)\//.exec(file)?.[1] ?? [],
  );
const emulator = await startStorageEmulator();
afterAll(() => emulator.close());

test('an adapter costs nothing until it is asked for something, and then brings its own client only', async () => {
  const blobs = createGcsBlobs({ bucket: 'b', endpoint: emulator.url });
  const queue = createTasksQueue({
    project: 'p',
    location: 'l',
    queues: { runs: 'runs', projections: 'projections', polls: 'polls', pushes: 'pushes' },
    generation: 'g1',
    targets: {
      runs: 'https://worker.example',
      projections: 'https://projector.example',
      polls: 'https://coordinator.example',
      pushes: 'https://push.example',
    },
    serviceAccount: 'tasks@p.example',
    clock: { now: () => 0 },
  });
  const sealer = createKmsSealer({ keyName: 'projects/p/locations/l/keyRings/r/cryptoKeys/k' });
  await expect(blobs.get('not/../a/name')).rejects.toMatchObject({ name: 'BadName' });
  await expect(sealer.unwrap(new Uint8Array(80), 'runs/r')).rejects.toMatchObject({
    name: 'KeyMissing',
  });
  await queue.close();
  expect(loaded()).toEqual([]);

  emulator.buckets.create('b');
  expect(await blobs.get('a')).toBeUndefined();
  expect(loaded()).toContain('teeny-request');
  expect(loaded()).not.toContain('google-gax');
});

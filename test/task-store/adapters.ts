import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startStorageEmulator } from '../../emulators/storage/start.ts';
import type { Blobs } from '../../shared/ports/blobs.ts';
import { createGcsBlobs, openFolderBlobs } from '../../shared/task-store/index.ts';
import { MemoryBlobs } from '../../testing/memory-blobs.ts';

export interface OpenedAdapter {
  readonly blobs: Blobs;
  close(): Promise<void>;
}

/** Each adapter of the port, empty. */
export const ADAPTERS: Readonly<Record<string, () => Promise<OpenedAdapter>>> = {
  memory: async () => ({ blobs: new MemoryBlobs({ now: () => 0 }), close: async () => undefined }),
  async folder() {
    const folder = mkdtempSync(join(tmpdir(), 'holdfast-task-store-'));
    const blobs = openFolderBlobs({ root: join(folder, 'objects') });
    return {
      blobs,
      async close() {
        await blobs.close();
        rmSync(folder, { recursive: true });
      },
    };
  },
  async 'Cloud Storage'() {
    const emulator = await startStorageEmulator();
    emulator.buckets.create('tasks');
    return {
      blobs: createGcsBlobs({ bucket: 'tasks', endpoint: emulator.url }),
      close: () => emulator.close(),
    };
  },
};

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { type StorageEmulator, startStorageEmulator } from '../../emulators/storage/start.ts';
import { openFolderBlobs } from '../../shared/embedded/folder-blobs.ts';
import { createWorkspaces } from '../../shared/files/workspaces.ts';
import { createGcsBlobs } from '../../shared/gcp/storage/blobs.ts';
import type { Blobs } from '../../shared/ports/blobs.ts';
import { systemClock } from '../../shared/system/system-clock.ts';
import { systemIds } from '../../shared/system/system-ids.ts';
import { MemoryBlobs } from '../../testing/memory-blobs.ts';
import { MemoryWorkspaces } from '../../testing/memory-workspaces.ts';
import { VirtualClock } from '../../testing/virtual-clock.ts';
import { type OpenedWorkspaces, workspacesSuite } from './workspaces.suite.ts';

function twoOver(blobs: Blobs, folder: string) {
  const [workspaces, other] = ['one', 'two'].map((name) =>
    createWorkspaces({ blobs, ids: systemIds(), scratch: join(folder, name), keptBytes: 2 ** 20 }),
  );
  if (workspaces === undefined || other === undefined) throw new Error('two');
  return { blobs, workspaces, other };
}

const newFolder = () => mkdtempSync(join(tmpdir(), 'holdfast-'));

async function openMemory(): Promise<OpenedWorkspaces> {
  const folder = newFolder();
  const clock = new VirtualClock();
  return {
    ...twoOver(new MemoryBlobs(clock), folder),
    later: () => clock.now() + 1,
    close: async () => rmSync(folder, { recursive: true }),
  };
}

async function openFolder(): Promise<OpenedWorkspaces> {
  const folder = newFolder();
  const blobs = openFolderBlobs({ root: join(folder, 'objects') });
  return {
    ...twoOver(blobs, folder),
    later: () => systemClock.now() + 60_000,
    async close() {
      await blobs.close();
      rmSync(folder, { recursive: true });
    },
  };
}

let storage: StorageEmulator;
beforeAll(async () => {
  storage = await startStorageEmulator();
  storage.buckets.create('files', true);
});
afterAll(() => storage.close());

async function openCloudStorage(): Promise<OpenedWorkspaces> {
  const folder = newFolder();
  return {
    ...twoOver(createGcsBlobs({ bucket: 'files', endpoint: storage.url }), folder),
    later: () => systemClock.now() + 60_000,
    close: async () => rmSync(folder, { recursive: true }),
  };
}

async function openDouble(): Promise<OpenedWorkspaces> {
  const clock = new VirtualClock();
  const blobs = new MemoryBlobs(clock);
  const workspaces = new MemoryWorkspaces(() => clock.now(), blobs);
  const other = new MemoryWorkspaces(() => clock.now(), blobs, workspaces.repositories);
  return { blobs, workspaces, other, later: () => clock.now() + 1, close: async () => undefined };
}

workspacesSuite('git packs in memory', openMemory);
workspacesSuite('git packs in a folder', openFolder);
workspacesSuite('git packs on Cloud Storage', openCloudStorage);
workspacesSuite('the double', openDouble);

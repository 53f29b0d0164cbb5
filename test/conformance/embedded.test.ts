import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { openFolderBlobs } from '../../shared/embedded/folder-blobs.ts';
import type { FolderBlobs } from '../../shared/embedded/folder-blobs.ts';
import { openKeyFile } from '../../shared/embedded/key-file.ts';
import { LocalQueue } from '../../shared/embedded/local-queue.ts';
import { openPackedBlobs } from '../../shared/embedded/packed-blobs.ts';
import { openSqliteBackend } from '../../shared/embedded/sqlite-backend.ts';
import { backendSuite, type OpenedBackend } from './backend.suite.ts';
import { blobsSuite, type OpenedBlobs } from './blobs.suite.ts';
import { followSuite } from './follow.suite.ts';
import { watchSuite } from './watch.suite.ts';
import { querySuite } from './query.suite.ts';
import { queueSuite } from './queue.suite.ts';
import { sealerSuite } from './sealer.suite.ts';
import { storeSuite } from './store.suite.ts';

const newFolder = () => mkdtempSync(join(tmpdir(), 'holdfast-'));
const remove = (folder: string) => rmSync(folder, { recursive: true });

async function openSqlite(): Promise<OpenedBackend> {
  const folder = newFolder();
  const file = join(folder, 'store.sqlite');
  const backend = openSqliteBackend({ file });
  // Another connection is to SQLite what another process is.
  const other = openSqliteBackend({ file });
  return {
    backend,
    other,
    async close() {
      await backend.close();
      await other.close();
      remove(folder);
    },
  };
}

async function openFolder(): Promise<OpenedBlobs> {
  const folder = newFolder();
  const root = join(folder, 'objects');
  const blobs = openFolderBlobs({ root });
  const other = openFolderBlobs({ root });
  const drafts = `${root}.drafts`;
  return {
    blobs,
    other,
    pending: () =>
      readdirSync(drafts).reduce((sum, draft) => sum + statSync(join(drafts, draft)).size, 0),
    async close() {
      await blobs.close();
      await other.close();
      remove(folder);
    },
  };
}

backendSuite('SQLite', openSqlite);
querySuite('SQLite', openSqlite);
followSuite('SQLite', openSqlite);
watchSuite('SQLite', openSqlite);
storeSuite('SQLite', openSqlite);

/** Each object as one of very many small ones. */
function allSmall(blobs: FolderBlobs): FolderBlobs {
  return {
    ...blobs,
    put: (name, body, write) => blobs.put(name, body, { ...write, small: true }),
    putStream: (name, body, write) => blobs.putStream(name, body, { ...write, small: true }),
  };
}

async function openPack(): Promise<OpenedBlobs> {
  const folder = newFolder();
  const root = join(folder, 'objects');
  const [blobs, other] = [openPackedBlobs({ root }), openPackedBlobs({ root })].map(allSmall);
  if (blobs === undefined || other === undefined) throw new TypeError('two were opened');
  return {
    blobs,
    other,
    async close() {
      await blobs.close();
      await other.close();
      remove(folder);
    },
  };
}

blobsSuite('folder', openFolder);
blobsSuite('pack', openPack);

queueSuite('in-process queue', (setting) => {
  const queue = new LocalQueue(setting);
  return {
    queue,
    start: (handler) => queue.start(handler),
    idle: () => queue.idle(),
    close: () => queue.close(),
  };
});

sealerSuite('key file', async () => {
  const folder = newFolder();
  onTestFinished(() => remove(folder));
  const file = join(folder, 'key');
  return {
    sealer: openKeyFile(file),
    again: openKeyFile(file),
    foreign: openKeyFile(join(folder, 'another')),
  };
});

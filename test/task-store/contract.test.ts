import { InMemoryPushNotificationStore, InMemoryTaskStore } from '@a2a-js/sdk/server';
import { DatabasePushNotificationStore, DatabaseTaskStore } from '@a2a-js/sdk/server/database';
import { GcsPushNotificationStore, GcsTaskStore } from '../../shared/task-store/index.ts';
import { MemoryBlobs } from '../../testing/memory-blobs.ts';
import { ADAPTERS } from './adapters.ts';
import { openIndexes } from './indexes.ts';
import { pushStoreSuite } from './push-store.suite.ts';
import { openSdkDatabase } from './sdk-sqlite.ts';
import { taskStoreSuite } from './task-store.suite.ts';

const close = async (): Promise<void> => undefined;

// The suites say what the SDK's own stores do: they pass them, too.
taskStoreSuite("the SDK's in memory", async () => ({ store: new InMemoryTaskStore(), close }));
taskStoreSuite("the SDK's over SQLite", async () => {
  const database = openSdkDatabase();
  return { store: new DatabaseTaskStore(database), close: () => database.destroy() };
});
pushStoreSuite("the SDK's in memory", async () => ({
  store: new InMemoryPushNotificationStore(),
  close,
}));
pushStoreSuite("the SDK's over SQLite", async () => {
  const database = openSdkDatabase();
  return { store: new DatabasePushNotificationStore(database), close: () => database.destroy() };
});

for (const [name, open] of Object.entries(ADAPTERS)) {
  taskStoreSuite(`ours over ${name}`, async () => {
    const opened = await open();
    return { ...opened, store: new GcsTaskStore(opened) };
  });
  pushStoreSuite(`ours over ${name}`, async () => {
    const opened = await open();
    return { ...opened, store: new GcsPushNotificationStore(opened) };
  });
}

for (const [name, open] of Object.entries(openIndexes)) {
  taskStoreSuite(`ours with an index in ${name}`, async () => {
    const opened = await open();
    const blobs = new MemoryBlobs({ now: () => 0 });
    return { ...opened, store: new GcsTaskStore({ blobs, ...opened }) };
  });
}

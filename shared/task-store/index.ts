/**
 * A task store for the SDK's own request handler, over Cloud Storage or a folder.
 *
 * @module
 */
export { openFolderBlobs } from '../embedded/folder-blobs.ts';
export { openKeyFile } from '../embedded/key-file.ts';
export { openSqliteBackend } from '../embedded/sqlite-backend.ts';
export { createFirestoreBackend } from '../gcp/firestore/backend.ts';
export { createKmsSealer } from '../gcp/kms/sealer.ts';
export { createGcsBlobs } from '../gcp/storage/blobs.ts';
export { BadTaskError, ContextBusyError, TaskTerminalError } from './errors.ts';
export {
  GcsPushNotificationStore,
  type GcsPushNotificationStoreOptions,
} from './gcs-push-notification-store.ts';
export { GcsTaskStore, type GcsTaskStoreOptions } from './gcs-task-store.ts';
export type { RebuiltIndex } from './rebuild-index.ts';
export { TaskIndex } from './task-index.ts';
export type { CallContext } from './layout.ts';

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  createFirestoreBackend,
  openSqliteBackend,
  TaskIndex,
} from '../../shared/task-store/index.ts';
import { randomProject, useFirestoreEmulator } from '../emulator/firestore.ts';

export interface OpenedIndex {
  readonly index: TaskIndex;
  close(): Promise<void>;
}

/** An index in each database, empty. */
export const openIndexes: Readonly<Record<string, () => Promise<OpenedIndex>>> = {
  async SQLite() {
    const folder = mkdtempSync(join(tmpdir(), 'holdfast-index-'));
    const backend = openSqliteBackend({ file: join(folder, 'index.sqlite') });
    return {
      index: new TaskIndex(backend),
      async close() {
        await backend.close();
        rmSync(folder, { recursive: true });
      },
    };
  },
  async Firestore() {
    await useFirestoreEmulator();
    const backend = createFirestoreBackend({ projectId: randomProject() });
    return { index: new TaskIndex(backend), close: () => backend.close() };
  },
};

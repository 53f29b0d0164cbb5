import { createFirestoreBackend } from '../../shared/gcp/firestore/backend.ts';
import { randomProject, useFirestoreEmulator } from '../emulator/firestore.ts';
import { backendSuite, type OpenedBackend } from './backend.suite.ts';
import { followSuite } from './follow.suite.ts';
import { watchSuite } from './watch.suite.ts';
import { querySuite } from './query.suite.ts';
import { storeSuite } from './store.suite.ts';

async function openFirestore(): Promise<OpenedBackend> {
  await useFirestoreEmulator();
  const projectId = randomProject();
  const backend = createFirestoreBackend({ projectId });
  const other = createFirestoreBackend({ projectId });
  return {
    backend,
    other,
    async close() {
      await backend.close();
      await other.close();
    },
  };
}

backendSuite('Firestore', openFirestore);
querySuite('Firestore', openFirestore);
followSuite('Firestore', openFirestore);
watchSuite('Firestore', openFirestore);
storeSuite('Firestore', openFirestore);

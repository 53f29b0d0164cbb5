import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqliteBackend } from '../../shared/embedded/sqlite-backend.ts';
import { backendSuite, type OpenedBackend } from './backend.suite.ts';
import { followSuite } from './follow.suite.ts';
import { querySuite } from './query.suite.ts';
import { storeSuite } from './store.suite.ts';

async function openSqlite(): Promise<OpenedBackend> {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-'));
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
      rmSync(folder, { recursive: true });
    },
  };
}

backendSuite('SQLite', openSqlite);
querySuite('SQLite', openSqlite);
followSuite('SQLite', openSqlite);
storeSuite('SQLite', openSqlite);

import { execFileSync } from 'node:child_process';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Kysely, type SqliteDatabase, SqliteDialect } from 'kysely';

/** The schema of the SDK's own stores, as its command line prints it. */
function schema(): string {
  const { resolve } = createRequire(import.meta.url);
  const cli = join(dirname(resolve('@a2a-js/sdk')), 'cli', 'a2a_db.js');
  const args = [cli, 'upgrade', '--sql', '--dialect', 'sqlite'];
  return execFileSync(process.execPath, args, { encoding: 'utf8' });
}

/** A database in memory with the tables of the SDK's stores, over Node's own SQLite. */
export function openSdkDatabase(): Kysely<unknown> {
  const database = new DatabaseSync(':memory:');
  database.exec(schema());
  return new Kysely({ dialect: new SqliteDialect({ database: driverOf(database) }) });
}

/** Kysely knows better-sqlite3; this is as much of its shape as Kysely uses. */
function driverOf(database: DatabaseSync): SqliteDatabase {
  const values = (parameters: readonly unknown[]) => parameters as readonly SQLInputValue[];
  return {
    close: () => database.close(),
    prepare(sql) {
      const statement = database.prepare(sql);
      return {
        reader: statement.columns().length > 0,
        all: (parameters) => statement.all(...values(parameters)),
        run: (parameters) => statement.run(...values(parameters)),
        iterate: (parameters) => statement.iterate(...values(parameters)),
      };
    },
  };
}

import type { DatabaseSync } from 'node:sqlite';
import { allCollections, type CollectionShape } from '../domain/collections.ts';
import { Unreadable } from '../ports/faults.ts';
import { openSqliteFile, type SqliteOptions } from './sqlite-file.ts';

const SCHEMA = 1;

export function openDatabase(options: SqliteOptions): DatabaseSync {
  const db = openSqliteFile(options, (opened) => createSchema(opened, options.file));
  db.exec('PRAGMA cache_size = -65536');
  // Half as many flushes as by default, at 8 MB of log; measured, a larger log gains nothing more.
  db.exec('PRAGMA wal_autocheckpoint = 2000');
  return db;
}

function createSchema(db: DatabaseSync, file: string): void {
  const version = Number(db.prepare('PRAGMA user_version').get()?.['user_version']);
  if (version > SCHEMA) {
    const of = `of schema ${version}, newer than ${SCHEMA},`;
    throw new Unreadable(`the database ${file} ${of}`);
  }
  for (const statement of allCollections.flatMap(statementsOf)) db.exec(statement);
  db.exec(`PRAGMA user_version = ${SCHEMA}`);
}

/**
 * Tables with a rowid: measured at twice the commits and three times the reads of WITHOUT ROWID, whose rows of more than a
 * quarter page spill into overflow pages.
 */
function statementsOf(shape: CollectionShape): readonly string[] {
  const table = `CREATE TABLE IF NOT EXISTS "${shape.name}" (
    parent TEXT NOT NULL,
    id TEXT NOT NULL,
    version TEXT NOT NULL,
    data TEXT NOT NULL,
    bytes BLOB,
    PRIMARY KEY (parent, id)
  ) STRICT`;
  return [table, ...new Set(shape.indexes.map((index) => indexOf(shape.name, index)))];
}

/** SQLite walks an index in both directions, ties included, so one serves `asc` and `desc`. */
function indexOf(table: string, index: CollectionShape['indexes'][number]): string {
  const fields = index.map(({ field }) => field);
  const ordered = fields.at(-1) ?? '';
  const columns = ['parent', ...fields.slice(0, -1).map(filterColumn), orderColumn(ordered), 'id'];
  return `CREATE INDEX IF NOT EXISTS "${[table, 'by', ...fields].join('_')}"
    ON "${table}" (${columns.join(', ')})`;
}

/** The JSON text of a field: `1`, `true` and `"1"` are different. */
export function filterColumn(field: string): string {
  return `(data -> '$.${plain(field)}')`;
}

/** The value of a field: numbers sort before text, text by its bytes. */
export function orderColumn(field: string): string {
  return `(data ->> '$.${plain(field)}')`;
}

/** Field names become part of a statement, and must stand in the JSON as they are. */
function plain(field: string): string {
  if (!/^[A-Za-z][A-Za-z0-9_]*$/.test(field))
    throw new TypeError('not the name of an indexed field');
  return field;
}

import type { DatabaseSync } from 'node:sqlite';
import { allCollections, type CollectionShape } from '../domain/collections.ts';
import type { Value } from '../ports/backend.ts';
import { Unreadable } from '../ports/faults.ts';
import { columnsOf, columnValue, type Index, indexesOf, quoted } from './sqlite-columns.ts';
import { openSqliteFile, type SqliteOptions } from './sqlite-file.ts';

/** In schema 1 documents were called `data`, and indexes were over expressions of them. */
const SCHEMA = 2;

export function openDatabase(options: SqliteOptions): DatabaseSync {
  const db = openSqliteFile(options, (opened) => createSchema(opened, options.file));
  if (options.readOnly === true) {
    requireKnown(db, options.file);
    showAsNow(db);
    return db;
  }
  db.exec('PRAGMA cache_size = -65536');
  return db;
}

/** A file of an earlier schema becomes one of this, whole or not at all: it is one transaction. */
function createSchema(db: DatabaseSync, file: string): void {
  requireKnown(db, file);
  for (const shape of allCollections) createTable(db, shape);
  dropOthers(db);
  db.exec(`PRAGMA user_version = ${SCHEMA}`);
}

function requireKnown(db: DatabaseSync, file: string): void {
  const version = Number(db.prepare('PRAGMA user_version').get()?.['user_version']);
  if (version > SCHEMA) {
    const of = `of schema ${version}, newer than ${SCHEMA},`;
    throw new Unreadable(`the database ${file} ${of}`);
  }
}

/**
 * Makes the table, or makes it anew with the columns that it is to have. So a column is right
 * whichever version wrote the rows: one that doesn't know it takes it away, and the next one that
 * does fills it.
 */
function createTable(db: DatabaseSync, shape: CollectionShape): void {
  const { name } = shape;
  // The name was changed so that a process of schema 1 that still has the file open fails, and
  // writes no row without its columns.
  if (columnsIn(db, name).includes('data')) {
    db.exec(`ALTER TABLE "${name}" RENAME COLUMN data TO fields`);
  }
  const present = columnsIn(db, name);
  if (present.length === 0) db.exec(tableOf(shape));
  else if (present.join() !== layoutOf(shape).join()) rebuild(db, shape);
  for (const index of indexesOf(shape)) db.exec(indexOf(shape, index));
}

function rebuild(db: DatabaseSync, shape: CollectionShape): void {
  const { name } = shape;
  const before = `before_${name}`;
  db.exec(`ALTER TABLE "${name}" RENAME TO "${before}"`);
  db.exec(tableOf(shape));
  defineColumnValue(db);
  db.exec(`INSERT INTO "${name}" SELECT ${readAsNow(shape, 'fields')} FROM "${before}"`);
  db.exec(`DROP TABLE "${before}"`);
}

/**
 * A file of an earlier schema that is only read: queries find its tables as they would be. They
 * have no index then that serves.
 */
function showAsNow(db: DatabaseSync): void {
  for (const shape of allCollections) {
    const present = columnsIn(db, shape.name);
    if (present.length === 0 || present.join() === layoutOf(shape).join()) continue;
    defineColumnValue(db);
    const document = present.includes('data') ? 'data' : 'fields';
    const select = `SELECT ${readAsNow(shape, document)} FROM main."${shape.name}"`;
    db.exec(
      `CREATE TEMP VIEW "${shape.name}" (${layoutOf(shape).map(quoted).join()}) AS ${select}`,
    );
  }
}

function readAsNow(shape: CollectionShape, document: string): string {
  const values = columnsOf(shape).map((field) => `column_value(${document} -> '$.${field}')`);
  return ['parent', 'id', 'version', ...values, document, 'bytes'].join();
}

/** By the code that fills the columns of what is written. */
function defineColumnValue(db: DatabaseSync): void {
  db.function('column_value', { deterministic: true }, (json) =>
    typeof json === 'string' ? columnValue(JSON.parse(json) as Value) : null,
  );
}

function columnsIn(db: DatabaseSync, table: string): readonly string[] {
  const found = db.prepare('SELECT name FROM pragma_table_info(?)').all(table);
  return found.map(({ name }) => String(name));
}

/** The document comes last: to read what lies behind a long one, its pages are walked through. */
function layoutOf(shape: CollectionShape): readonly string[] {
  return ['parent', 'id', 'version', ...columnsOf(shape), 'fields', 'bytes'];
}

/**
 * Tables with a rowid: measured at twice the commits and three times the reads of WITHOUT ROWID,
 * whose rows of more than a quarter page spill into overflow pages.
 */
function tableOf(shape: CollectionShape): string {
  return `CREATE TABLE "${shape.name}" (
    parent TEXT NOT NULL,
    id TEXT NOT NULL,
    version TEXT NOT NULL,
    ${columnsOf(shape)
      .map((field) => `${quoted(field)} ANY,`)
      .join(' ')}
    fields TEXT NOT NULL,
    bytes BLOB,
    PRIMARY KEY (parent, id)
  ) STRICT`;
}

function indexOf({ name: table }: CollectionShape, { name, ordered, carried, few }: Index): string {
  const columns = ['parent', ...ordered.map(quoted), 'id', ...carried.map(quoted)];
  const where = few ? ` WHERE ${quoted(ordered.at(-1) ?? '')} IS NOT NULL` : '';
  return `CREATE INDEX IF NOT EXISTS "${name}" ON "${table}" (${columns.join(', ')})${where}`;
}

/**
 * Indexes of an earlier version, which nothing reads and every commit would write. That version
 * makes them anew if it comes back.
 */
function dropOthers(db: DatabaseSync): void {
  const wanted = new Set(
    allCollections.flatMap((shape) => indexesOf(shape).map(({ name }) => name)),
  );
  const present = db
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL")
    .all();
  for (const { name } of present) {
    if (typeof name === 'string' && !wanted.has(name)) db.exec(`DROP INDEX "${name}"`);
  }
}

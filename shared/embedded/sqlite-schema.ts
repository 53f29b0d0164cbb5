import type { DatabaseSync } from 'node:sqlite';
import { allCollections, type CollectionShape } from '../domain/collections.ts';
import { Unreadable } from '../ports/faults.ts';
import { openSqliteFile, type SqliteOptions } from './sqlite-file.ts';

const SCHEMA = 1;

export function openDatabase(options: SqliteOptions): DatabaseSync {
  const db = openSqliteFile(options, (opened) => createSchema(opened, options.file));
  if (options.readOnly === true) {
    requireKnown(db, options.file);
    return db;
  }
  db.exec('PRAGMA cache_size = -65536');
  return db;
}

function createSchema(db: DatabaseSync, file: string): void {
  requireKnown(db, file);
  for (const statement of allCollections.flatMap(statementsOf)) db.exec(statement);
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
 * Tables with a rowid: measured at twice the commits and three times the reads of WITHOUT ROWID,
 * whose rows of more than a quarter page spill into overflow pages.
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
  return [table, ...indexesOf(shape).values()];
}

/**
 * Statements by the name of their index. SQLite walks an index in both directions, ties included,
 * so one serves `asc` and `desc`. What only narrows is carried behind the order, so that it is
 * sorted out without a look at the rows.
 */
function indexesOf({ name: table, indexes }: CollectionShape): ReadonlyMap<string, string> {
  const carried = new Map<string, Set<string>>();
  const few = new Set<string>();
  for (const index of indexes) {
    const ordered = index.filter(({ narrows }) => narrows !== true).map(({ field }) => field);
    const narrowing = index.filter(({ narrows }) => narrows === true).map(({ field }) => field);
    const key = ordered.join('_');
    if (index.some(({ sparse }) => sparse === true)) few.add(key);
    carried.set(key, new Set([...(carried.get(key) ?? []), ...narrowing]));
  }
  const statements = new Map<string, string>();
  for (const [key, narrowing] of carried) {
    const fields = key.split('_');
    const name = [
      table,
      'by',
      ...fields,
      ...(narrowing.size > 0 ? ['with', ...narrowing] : []),
    ].join('_');
    const columns = [
      'parent',
      ...fields.slice(0, -1).map(filterColumn),
      orderColumn(fields.at(-1) ?? ''),
      'id',
      ...[...narrowing].map(filterColumn),
    ];
    const where = few.has(key) ? ` WHERE ${orderColumn(fields.at(-1) ?? '')} IS NOT NULL` : '';
    statements.set(
      name,
      `CREATE INDEX IF NOT EXISTS "${name}" ON "${table}" (${columns.join(', ')})${where}`,
    );
  }
  return statements;
}

/**
 * Indexes of an earlier version, which nothing reads and every commit would write. That version
 * makes them anew if it comes back.
 */
function dropOthers(db: DatabaseSync): void {
  const wanted = new Set(allCollections.flatMap((shape) => [...indexesOf(shape).keys()]));
  const present = db
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL")
    .all();
  for (const { name } of present) {
    if (typeof name === 'string' && !wanted.has(name)) db.exec(`DROP INDEX "${name}"`);
  }
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

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import type { Backend, Fields, RowQuery } from '../ports/backend.ts';
import { idOf } from '../store/cursor.ts';
import { openSqliteBackend } from './sqlite-backend.ts';

/** As version 1 made them; not all of its indexes. */
const SCHEMA_1 = `
  CREATE TABLE runs (parent TEXT NOT NULL, id TEXT NOT NULL, version TEXT NOT NULL,
    data TEXT NOT NULL, bytes BLOB, PRIMARY KEY (parent, id)) STRICT;
  CREATE TABLE events (parent TEXT NOT NULL, id TEXT NOT NULL, version TEXT NOT NULL,
    data TEXT NOT NULL, bytes BLOB, PRIMARY KEY (parent, id)) STRICT;
  CREATE INDEX runs_by_shard_dueAt ON runs (parent, (data -> '$.shard'), (data ->> '$.dueAt'), id);
  CREATE INDEX runs_by_shard_cost ON runs (parent, (data -> '$.shard'), (data ->> '$.cost'), id)
    WHERE (data ->> '$.cost') IS NOT NULL;
  PRAGMA journal_mode = WAL;
  PRAGMA user_version = 1;`;

const due: RowQuery = {
  collection: 'runs',
  filters: [{ field: 'shard', equals: 3 }],
  order: { field: 'dueAt', direction: 'asc' },
  limit: 10,
};
const failed: RowQuery = {
  ...due,
  filters: [...due.filters, { field: 'status', equals: 'failed' }],
  order: { field: 'statusAt', direction: 'desc' },
};
const journal: RowQuery = { collection: 'tasks/t/events', filters: [], order: undefined, limit: 9 };

const ROWS: Readonly<Record<string, Fields>> = {
  a: { shard: 3, dueAt: 20, status: 'failed', statusAt: 2 ** 60 },
  b: { shard: 3, dueAt: 10.1, status: 'failed', statusAt: 1 },
  c: { shard: 3, dueAt: null, status: 'failed', statusAt: 3, cost: 0.1 + 0.2 },
  d: { shard: '3', dueAt: 5, status: true },
};

test('a file of schema 1 is brought to this one: each row is found as before, and changes', async () => {
  const file = fileOfSchema1();
  const backend = open(file);
  await expectFound(backend);
  const [row] = await backend.read(['runs/b']);
  expect(row?.fields).toEqual(ROWS['b']);
  const fields = { ...row?.fields, dueAt: 30 };
  await backend.commit([], [{ path: 'runs/b', fields, expect: row?.version ?? '' }]);
  expect(await ids(backend, due)).toEqual(['a', 'b']);
  expect(schemaOf(file)).toEqual({ version: 2, leftovers: [] });
});

test('a process of schema 1 that has the file open writes no row that is not found', () => {
  const file = fileOfSchema1();
  const old = new DatabaseSync(file);
  onTestFinished(() => old.close());
  const insert = old.prepare('INSERT INTO runs (parent, id, version, data) VALUES (?, ?, ?, ?)');
  insert.run('', 'e', '1', '{}');
  open(file);
  expect(() => insert.run('', 'f', '1', '{}')).toThrow('no column named data');
});

test('a file of schema 1 that is only read answers as it will, and stays as it is', async () => {
  const file = fileOfSchema1();
  const before = readFileSync(file);
  const backend = openSqliteBackend({ file, readOnly: true });
  onTestFinished(() => backend.close());
  await expectFound(backend);
  const write = { path: 'runs/a', fields: {}, expect: 'any' as const };
  await expect(backend.commit([], [write])).rejects.toThrow();
  expect(readFileSync(file)).toEqual(before);
  expect(schemaOf(file).version).toBe(1);
});

test('a column that a file lacks is filled, and one that nothing knows is taken away', async () => {
  const file = fileOfSchema1();
  await openSqliteBackend({ file }).close();
  const db = new DatabaseSync(file);
  // As a version left it that has no `dueAt`, and an `owner`.
  db.exec(`DROP INDEX runs_by_shard_dueAt; ALTER TABLE runs DROP COLUMN dueAt;
    ALTER TABLE runs ADD COLUMN owner ANY; CREATE INDEX runs_by_owner ON runs (owner)`);
  const reading = openSqliteBackend({ file, readOnly: true });
  await expectFound(reading);
  await reading.close();
  await expectFound(open(file));
  const names = db.prepare('SELECT name FROM pragma_table_info(?)').all('runs');
  expect(names).toContainEqual({ name: 'dueAt' });
  expect(names).not.toContainEqual({ name: 'owner' });
  db.close();
});

async function expectFound(backend: Backend): Promise<void> {
  expect(await ids(backend, due)).toEqual(['b', 'a']);
  expect(await ids(backend, failed)).toEqual(['a', 'c', 'b']);
  const last = await backend.query({ ...failed, limit: 1 }, { value: 2 ** 60, id: 'a' });
  expect(last.map(({ path }) => path)).toEqual(['runs/c']);
  expect(await backend.count(failed)).toBe(3);
  const costs: RowQuery = { ...due, order: { field: 'cost', direction: 'desc' } };
  expect(await ids(backend, { ...costs, from: { value: 0.1 + 0.2, inclusive: true } })).toEqual([
    'c',
  ]);
  const events = await backend.query(journal);
  expect(events.map(({ fields }) => fields)).toEqual([{ n: 1, content: Uint8Array.of(7) }]);
}

async function ids(backend: Backend, query: RowQuery): Promise<readonly string[]> {
  return (await backend.query(query)).map(({ path }) => idOf(path));
}

function fileOfSchema1(): string {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'store.sqlite');
  const db = new DatabaseSync(file);
  db.exec(SCHEMA_1);
  const insert = (
    table: string,
    parent: string,
    id: string,
    data: string,
    bytes: Uint8Array | null,
  ) => db.prepare(`INSERT INTO ${table} VALUES (?, ?, 'v', ?, ?)`).run(parent, id, data, bytes);
  for (const [id, fields] of Object.entries(ROWS))
    insert('runs', '', id, JSON.stringify(fields), null);
  insert('events', 'tasks/t', '1', '{"n":1,"content":{"$":[0,1]}}', Uint8Array.of(7));
  db.close();
  return file;
}

/** Its version, and the names of what remembers schema 1. */
function schemaOf(file: string) {
  const db = new DatabaseSync(file, { readOnly: true });
  const version = db.prepare('PRAGMA user_version').get()?.['user_version'];
  const leftovers = db
    .prepare("SELECT name FROM sqlite_schema WHERE name LIKE 'before%' OR sql LIKE '%data%'")
    .all();
  db.close();
  return { version, leftovers };
}

function open(file: string): Backend {
  const backend = openSqliteBackend({ file });
  onTestFinished(() => backend.close());
  return backend;
}

import { randomBytes } from 'node:crypto';
import type { DatabaseSync, SQLOutputValue, StatementSync } from 'node:sqlite';
import type { CollectionShape } from '../domain/collections.ts';
import type {
  Backend,
  Check,
  Committed,
  Fields,
  Position,
  Row,
  RowQuery,
  Version,
  Write,
} from '../ports/backend.ts';
import { Fault, Unavailable, Unreadable } from '../ports/faults.ts';
import { type DocumentAddress, documentAddress } from '../store/addresses.ts';
import { positionOf } from '../store/cursor.ts';
import { type Measure, measureWrites } from '../store/limits.ts';
import { WalCopier, walThread } from './wal-copier.ts';
import { CommitGroup } from './commit-group.ts';
import { Followers } from './followers.ts';
import { KnownRows } from './known-rows.ts';
import { KnownValues } from './known-values.ts';
import { guarded } from './sqlite-faults.ts';
import { valuesOf } from './sqlite-columns.ts';
import { countRows, selectRows, selectVersions, type Statement } from './sqlite-queries.ts';
import type { SqliteOptions } from './sqlite-file.ts';
import { openDatabase } from './sqlite-schema.ts';
import { SqliteTable, type Stored } from './sqlite-table.ts';
import { decodeFields, encodeFields } from './sqlite-values.ts';

/** How often commits of other processes are polled for while a reader follows. */
const POLL_MS = 25;

/**
 * Opens the database file, made if it is not there, as a backend. Several processes may share it.
 */
export function openSqliteBackend(options: SqliteOptions): Backend {
  return new SqliteBackend(
    guarded(() => openDatabase(options)),
    options.file,
  );
}

interface PreparedWrite {
  readonly write: Write;
  readonly address: DocumentAddress;
  /** Undefined: it is deleted. */
  readonly stored: Stored | undefined;
}

/**
 * Each read, and each group of commits, runs to its end in one turn of the event loop, so calls of
 * one process never meet inside SQLite.
 */
class SqliteBackend implements Backend {
  readonly #db: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();
  readonly #followers: Followers;
  readonly #group: CommitGroup;
  readonly #known = new KnownRows();
  readonly #copier: WalCopier;
  readonly #tables = new Map<CollectionShape, SqliteTable>();
  readonly #values = new KnownValues();
  /** Random for each opening, so that no other process and no later one repeats a version. */
  readonly #versionPrefix = randomBytes(12).toString('base64url');
  #commits = 0;
  #dataVersion: SQLOutputValue | undefined;

  constructor(db: DatabaseSync, file: string) {
    this.#copier = new WalCopier(() => walThread(file));
    // 64 MB: commits copy the log themselves only where the thread does not keep up.
    db.exec('PRAGMA wal_autocheckpoint = 16000');
    this.#db = db;
    this.#followers = new Followers(() => this.#changedElsewhere(), POLL_MS);
    const run = (sql: string) => void this.#prepared(sql).run();
    const later = (flush: () => void) => void setImmediate(() => this.#copier.whenFree(flush));
    this.#group = new CommitGroup(
      {
        begin: () => this.#work(() => run('BEGIN IMMEDIATE')),
        alone: (change) => this.#alone(change),
        commit: () => this.#work(() => run('COMMIT')),
        // Some faults have ended the transaction already.
        rollback: () => void (this.#db.isOpen && this.#db.isTransaction && run('ROLLBACK')),
      },
      later,
    );
  }

  async read(paths: readonly string[]): Promise<readonly (Row | undefined)[]> {
    const addresses = paths.map(documentAddress);
    return this.#work(() =>
      addresses.map((address, at) => {
        const found = this.#table(address).find(address);
        return found && this.#read(address, paths[at] ?? '', found);
      }),
    );
  }

  async commit(
    checks: readonly Check[],
    writes: readonly Write[],
  ): Promise<Committed | 'conflict'> {
    const measures = measureWrites(writes);
    const prepared = writes.map((write, at): PreparedWrite => {
      const measure = measures[at];
      const address = documentAddress(write.path);
      if (write.fields === undefined || measure === undefined)
        return { write, address, stored: undefined };
      const values = valuesOf(address.shape, write.fields);
      return { write, address, stored: { ...encodeFields(write.fields, measure), values } };
    });
    const checked = checks.map((check) => ({ check, address: documentAddress(check.path) }));
    this.#commits += 1;
    const version = this.#versionPrefix + this.#commits.toString(36);
    const outcome = await this.#group.add(() =>
      this.#work(
        () =>
          checked.every(({ check, address }) => this.#holds(check, address)) &&
          prepared.every((each) => this.#apply(each, version)),
      ),
    );
    if (outcome === 'conflict') return outcome;
    this.#copier.wrote(writes.length, measures.reduce(addSize, 0));
    for (const { write, stored } of prepared) {
      if (stored !== undefined) this.#values.keep(write.path, version, stored.values);
    }
    this.#tell(writes);
    return { versions: writes.map(({ fields }) => fields && version) };
  }

  async query(query: RowQuery, after?: Position): Promise<readonly Row[]> {
    // A list, newest first, shows the same rows again and again; what is due is another each time.
    const listed = query.order?.direction === 'desc';
    return listed ? this.#listed(query, after) : this.#rows(query, after);
  }

  async count(query: RowQuery): Promise<number> {
    const statement = countRows(query);
    const [found] = this.#work(() => this.#all(statement));
    return Number(found?.['count'] ?? 0);
  }

  async *follow(
    query: RowQuery,
    after: Position | undefined,
    signal: AbortSignal,
  ): AsyncGenerator<readonly Row[]> {
    if (query.order?.direction === 'desc') {
      throw new Fault('BadQuery', 'stop', 'only an ascending query can be followed');
    }
    const follower = this.#followers.follow(query.collection, signal);
    try {
      let place = after;
      while (!signal.aborted) {
        const rows = this.#rows(query, place);
        const last = rows.at(-1);
        if (last !== undefined) {
          place = positionOf(query, last);
          yield rows;
        }
        // They were all: what came since this look is news already.
        if (rows.length < query.limit) await follower.news();
      }
    } finally {
      follower.close();
    }
  }

  async *watch(path: string, signal: AbortSignal): AsyncGenerator<Row | undefined> {
    const follower = this.#followers.follow(path, signal);
    try {
      let version: string | undefined = '';
      while (!signal.aborted) {
        const [row] = await this.read([path]);
        if (row?.version === version) await follower.news();
        else {
          version = row?.version;
          yield row;
        }
      }
    } finally {
      follower.close();
    }
  }

  async close(): Promise<void> {
    this.#group.flush();
    await this.#copier.close();
    this.#statements.clear();
    this.#tables.clear();
    if (this.#db.isOpen) this.#db.close();
    this.#followers.close();
  }

  #rows(query: RowQuery, after: Position | undefined): readonly Row[] {
    const statement = selectRows(query, after);
    return this.#work(() => this.#all(statement)).map((found) =>
      rowOf(`${query.collection}/${String(found['id'])}`, found),
    );
  }

  /** Of the rows only those are read that are not known as they are now. */
  #listed(query: RowQuery, after: Position | undefined): readonly Row[] {
    const statement = selectVersions(query, after);
    const rows: Row[] = [];
    for (const { id, version } of this.#work(() => this.#all(statement))) {
      const path = `${query.collection}/${String(id)}`;
      const known = this.#known.get(path, String(version));
      const row = known ?? this.#learn(path, String(version));
      // Another process has changed it in between: one statement sees one moment.
      if (row === undefined) return this.#rows(query, after);
      rows.push(row);
    }
    return rows;
  }

  #learn(path: string, version: Version): Row | undefined {
    const address = documentAddress(path);
    const found = this.#work(() => this.#table(address).find(address));
    if (found?.['version'] !== version) return undefined;
    const row = rowOf(path, found);
    this.#known.keep(row, sizeOf(found));
    return row;
  }

  /** What was read is likely to be changed next. */
  #read({ shape }: DocumentAddress, path: string, found: Record<string, SQLOutputValue>): Row {
    const row = rowOf(path, found);
    this.#values.keep(path, row.version, valuesOf(shape, row.fields));
    return row;
  }

  #all({ sql, values }: Statement): Record<string, SQLOutputValue>[] {
    return this.#prepared(sql).all(...values);
  }

  #holds({ expect }: Check, address: DocumentAddress): boolean {
    const version = this.#table(address).versionOf(address);
    return version === (expect === 'absent' ? undefined : expect);
  }

  /** The expectation is part of the statement: one that changes no row was not met. */
  #apply({ write: { expect, path }, address, stored }: PreparedWrite, version: Version): boolean {
    const table = this.#table(address);
    if (stored === undefined) {
      if (expect !== 'any') return table.removeAt(address, expect);
      table.remove(address);
      return true;
    }
    if (expect === 'absent') return table.create(address, version, stored);
    if (expect !== 'any') {
      const known = this.#values.get(path, expect);
      return table.update(address, version, stored, expect, known);
    }
    table.put(address, version, stored);
    return true;
  }

  #table({ shape }: DocumentAddress): SqliteTable {
    const known = this.#tables.get(shape);
    if (known !== undefined) return known;
    const table = new SqliteTable(this.#db, shape);
    this.#tables.set(shape, table);
    return table;
  }

  #alone(change: () => boolean): boolean {
    this.#prepared('SAVEPOINT change').run();
    const held = change();
    if (!held) this.#prepared('ROLLBACK TO change').run();
    this.#prepared('RELEASE change').run();
    return held;
  }

  #tell(writes: readonly Write[]): void {
    for (const { path } of writes) this.#known.forget(path);
    const collections = writes.map(({ path }) => path.slice(0, path.lastIndexOf('/')));
    for (const collection of new Set(collections)) this.#followers.tell(collection);
    for (const { path } of writes) this.#followers.tell(path);
  }

  #changedElsewhere(): boolean {
    const seen = this.#dataVersion;
    try {
      this.#dataVersion = this.#prepared('PRAGMA data_version').get()?.['data_version'];
    } catch {
      // The follower reads again and meets the fault itself; a poll has no caller to tell.
      return true;
    }
    return this.#dataVersion !== seen;
  }

  #work<T>(work: () => T): T {
    if (!this.#db.isOpen) throw new Unavailable('the database, which is closed,');
    return guarded(work);
  }

  /** The texts are few: one per table and form of a query. */
  #prepared(sql: string): StatementSync {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const statement = this.#db.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }
}

const addSize = (sum: number, measure: Measure | undefined): number => sum + (measure?.size ?? 0);

/** Of its columns, about. */
function sizeOf({ bytes, fields }: Record<string, SQLOutputValue>): number {
  return String(fields).length + (bytes instanceof Uint8Array ? bytes.byteLength : 0);
}

function rowOf(path: string, found: Record<string, SQLOutputValue>): Row {
  const { version, fields, bytes } = found;
  try {
    if (typeof version !== 'string' || typeof fields !== 'string') throw new TypeError('not a row');
    return { path, fields: fieldsOf(fields, bytes), version };
  } catch (error) {
    throw new Unreadable(`a document of ${path.split('/').at(-2)}`, error);
  }
}

function fieldsOf(data: string, bytes: SQLOutputValue | undefined): Fields {
  return decodeFields(data, bytes instanceof Uint8Array ? bytes : null);
}

import { randomBytes } from 'node:crypto';
import type { DatabaseSync, SQLOutputValue, StatementSync } from 'node:sqlite';
import type { Blob, BlobEntry, BlobWrite, BlobWritten } from '../ports/blobs.ts';
import { Unavailable } from '../ports/faults.ts';
import { requireObjectName } from '../ports/object-name.ts';
import { CommitGroup } from './commit-group.ts';
import { guarded } from './sqlite-faults.ts';
import { openSqliteFile, type SqliteOptions } from './sqlite-file.ts';

/** In the folder of the objects: who copies that has all of them. */
export const PACK = 'archive.sqlite';

/** What `docs/archive.md` tells readers without our code. */
const TABLE = `CREATE TABLE IF NOT EXISTS objects (
  name TEXT NOT NULL UNIQUE,
  body BLOB NOT NULL,
  contentType TEXT NOT NULL,
  metadata TEXT NOT NULL,
  generation TEXT NOT NULL,
  createdAt INTEGER NOT NULL
) STRICT`;

/** From a prefix on, behind a name, so many. */
export const LIST_OBJECTS =
  'SELECT name, length(body) AS size, createdAt FROM objects WHERE name >= ? AND name > ? ORDER BY name LIMIT ?';

/** While a server is busy, writes gather so long: what a commit costs is shared by all of them. */
const GATHER_MS = 20;
/** It is busy when more came at once than one task writes. */
const BUSY = 3;
/** What was replaced is out of the log so soon. */
const ERASE_MS = 1_000;

/**
 * Small objects in one SQLite file. A deletion is answered when its bytes are gone from the file
 * and from the log: copies in clear must end with their task (G9).
 */
export class PackedObjects {
  readonly #db: DatabaseSync;
  readonly #statements;
  readonly #group: CommitGroup;
  /** Random for each opening: no other process and no later one repeats a generation. */
  readonly #prefix = randomBytes(12).toString('base64url');
  #writes = 0;
  #gathered = 0;
  #isBusy = false;
  /** The log still holds what was replaced or deleted. */
  #hasResidue = false;
  #erasing: NodeJS.Timeout | undefined;

  constructor(options: SqliteOptions) {
    const db = openSqliteFile(options, (fresh) => fresh.exec(TABLE));
    this.#db = db;
    const statements = prepared(db);
    this.#statements = statements;
    this.#group = new CommitGroup(
      {
        begin: () => this.#work(() => void statements.begin.run()),
        // Each is one statement: one that says no has changed nothing.
        alone: (change) => change(),
        commit: () => this.#work(() => void statements.commit.run()),
        rollback: () => void (db.isOpen && db.isTransaction && statements.rollback.run()),
      },
      (flush) => this.#later(flush),
    );
    // A process that died may have left some in the log.
    this.#erase();
  }

  has(name: string): boolean {
    return this.#work(() => this.#statements.has.get(name)) !== undefined;
  }

  get(name: string): Blob | undefined {
    const found = this.#work(() => this.#statements.get.get(name));
    return found && blobOf(found);
  }

  async put(name: string, body: Uint8Array, write: BlobWrite): Promise<BlobWritten> {
    requireObjectName(name);
    const { contentType, metadata = {}, expect } = write;
    this.#writes += 1;
    this.#gathered += 1;
    const generation = `${this.#prefix}.${this.#writes.toString(36)}`;
    const { insert, update } = this.#statements;
    const columns = [body, contentType, JSON.stringify(metadata), generation, Date.now()];
    const outcome = await this.#group.add(() =>
      this.#work(() =>
        expect === 'absent'
          ? insert.run(name, ...columns).changes === 1
          : update.run(...columns, name, expect).changes === 1,
      ),
    );
    if (outcome === 'conflict') return 'stale';
    if (expect !== 'absent') this.#eraseSoon();
    return { generation };
  }

  async delete(name: string): Promise<void> {
    // A write that was asked for before must not come after it.
    this.#group.flush();
    if (this.has(name)) {
      this.#hasResidue = true;
      await this.#group.add(() =>
        this.#work(() => this.#statements.delete.run(name).changes === 1),
      );
    }
    if (!this.#hasResidue || this.#erase()) return;
    throw new Unavailable('the archive, which another process reads,');
  }

  list(prefix: string, limit: number, after: string): readonly BlobEntry[] {
    // SQLite compares text by its bytes.
    return this.#work(() => this.#statements.list.all(prefix, after, limit))
      .map(entryOf)
      .filter(({ name }) => name.startsWith(prefix));
  }

  close(): void {
    this.#group.flush();
    clearTimeout(this.#erasing);
    if (!this.#db.isOpen) return;
    this.#erase();
    this.#db.close();
  }

  #later(flush: () => void): void {
    const commit = (): void => {
      this.#isBusy = this.#gathered >= BUSY;
      this.#gathered = 0;
      flush();
    };
    if (this.#isBusy) setTimeout(commit, GATHER_MS);
    else setImmediate(commit);
  }

  #eraseSoon(): void {
    this.#hasResidue = true;
    this.#erasing ??= setTimeout(() => {
      this.#erasing = undefined;
      // A reader may hold it up; the next deletion, or the next start, tries again.
      if (this.#db.isOpen && this.#hasResidue && !this.#erase()) this.#eraseSoon();
    }, ERASE_MS).unref();
  }

  /** Moves the log into the file, whose freed bytes are zeros, and empties it. */
  #erase(): boolean {
    const found = this.#work(() => this.#statements.checkpoint.get());
    const done = found?.['busy'] === 0;
    if (done) this.#hasResidue = false;
    return done;
  }

  #work<T>(work: () => T): T {
    if (!this.#db.isOpen) throw new Unavailable('the archive, which is closed,');
    return guarded(work, 'the archive');
  }
}

function prepared(db: DatabaseSync): Readonly<Record<Statements, StatementSync>> {
  return {
    begin: db.prepare('BEGIN IMMEDIATE'),
    commit: db.prepare('COMMIT'),
    rollback: db.prepare('ROLLBACK'),
    checkpoint: db.prepare('PRAGMA wal_checkpoint(TRUNCATE)'),
    has: db.prepare('SELECT 1 FROM objects WHERE name = ?'),
    get: db.prepare('SELECT * FROM objects WHERE name = ?'),
    insert: db.prepare(
      'INSERT INTO objects (name, body, contentType, metadata, generation, createdAt) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING',
    ),
    update: db.prepare(
      'UPDATE objects SET body = ?, contentType = ?, metadata = ?, generation = ?, createdAt = ? WHERE name = ? AND generation = ?',
    ),
    delete: db.prepare('DELETE FROM objects WHERE name = ?'),
    list: db.prepare(LIST_OBJECTS),
  };
}

type Statements =
  | 'begin'
  | 'commit'
  | 'rollback'
  | 'checkpoint'
  | 'has'
  | 'get'
  | 'insert'
  | 'update'
  | 'delete'
  | 'list';

export function blobOf(found: Record<string, SQLOutputValue>): Blob {
  const { body, contentType, generation, metadata } = found;
  return {
    body: body instanceof Uint8Array ? body : new Uint8Array(0),
    contentType: String(contentType),
    generation: String(generation),
    metadata: JSON.parse(String(metadata)) as Record<string, string>,
  };
}

export const entryOf = ({ createdAt, name, size }: Record<string, SQLOutputValue>): BlobEntry => ({
  name: String(name),
  size: Number(size),
  createdAt: Number(createdAt),
});

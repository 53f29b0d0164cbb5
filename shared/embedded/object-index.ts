import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import { openSqliteFile } from './sqlite-file.ts';

/** What is known of one body of an object besides its bytes. */
export interface IndexEntry {
  readonly name: string;
  /** SHA-256 of the body: an entry speaks of the body that has it, and of no other. */
  readonly digest: string;
  readonly generation: string;
  readonly contentType: string;
  readonly metadata: Readonly<Record<string, string>>;
}

const TABLE = `CREATE TABLE IF NOT EXISTS objects (
  name TEXT NOT NULL,
  digest TEXT NOT NULL,
  generation TEXT NOT NULL,
  contentType TEXT NOT NULL,
  metadata TEXT NOT NULL,
  PRIMARY KEY (name, digest)
) STRICT, WITHOUT ROWID`;

/**
 * The sidecar of the folder: generations, types and metadata, outside the tree that readers see.
 * SQLite is here for its lock, which the system takes back from a process that dies, as it would
 * not with a lock file.
 */
export class ObjectIndex {
  readonly #db: DatabaseSync;
  readonly #statements;

  constructor(file: string, synchronous: 'normal' | 'full') {
    const db = openSqliteFile({ file, synchronous }, (fresh) => fresh.exec(TABLE));
    this.#db = db;
    this.#statements = {
      begin: db.prepare('BEGIN IMMEDIATE'),
      commit: db.prepare('COMMIT'),
      rollback: db.prepare('ROLLBACK'),
      find: db.prepare('SELECT * FROM objects WHERE name = ? AND digest = ?'),
      generations: db.prepare('SELECT generation FROM objects WHERE name = ?'),
      nameOf: db.prepare('SELECT name FROM objects WHERE generation = ?'),
      insert: db.prepare(
        'INSERT INTO objects (name, digest, generation, contentType, metadata) VALUES (?, ?, ?, ?, ?)',
      ),
      drop: db.prepare('DELETE FROM objects WHERE name = ?'),
      list: db.prepare(
        'SELECT DISTINCT name FROM objects WHERE name >= ? AND name > ? ORDER BY name LIMIT ?',
      ),
    };
  }

  /** Runs while no other process and no other call changes an object. */
  exclusively<T>(work: () => T): T {
    this.#statements.begin.run();
    try {
      const answer = work();
      this.#statements.commit.run();
      return answer;
    } catch (error) {
      if (this.#db.isTransaction) this.#statements.rollback.run();
      throw error;
    }
  }

  find(name: string, digest: string): IndexEntry | undefined {
    const found = this.#statements.find.get(name, digest);
    return found === undefined ? undefined : entryOf(found);
  }

  /** Of an object that is there: one. */
  generations(name: string): readonly string[] {
    return this.#statements.generations.all(name).map(({ generation }) => String(generation));
  }

  /** Looks through all entries. */
  nameOf(generation: string): string | undefined {
    const found = this.#statements.nameOf.get(generation);
    return found === undefined ? undefined : String(found['name']);
  }

  /** This is the object's entry now. */
  settle({ name, digest, generation, contentType, metadata }: IndexEntry): void {
    const { drop, insert } = this.#statements;
    drop.run(name);
    insert.run(name, digest, generation, contentType, JSON.stringify(metadata));
  }

  drop(name: string): void {
    this.#statements.drop.run(name);
  }

  /** SQLite compares text by its bytes. */
  names(from: string, after: string, limit: number): readonly string[] {
    return this.#statements.list.all(from, after, limit).map(({ name }) => String(name));
  }

  close(): void {
    if (this.#db.isOpen) this.#db.close();
  }
}

function entryOf(found: Record<string, SQLOutputValue>): IndexEntry {
  return {
    name: String(found['name']),
    digest: String(found['digest']),
    generation: String(found['generation']),
    contentType: String(found['contentType']),
    metadata: JSON.parse(String(found['metadata'])) as Record<string, string>,
  };
}

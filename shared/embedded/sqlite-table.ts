import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from 'node:sqlite';
import type { CollectionShape } from '../domain/collections.ts';
import type { Version } from '../ports/backend.ts';
import { columnsOf, groupsOf, quoted } from './sqlite-columns.ts';
import type { Encoded } from './sqlite-values.ts';

/** A document as its table holds it. `values`: of the table's columns, in their order. */
export interface Stored extends Encoded {
  readonly values: readonly SQLInputValue[];
}

/** A document of the table. */
interface Place {
  readonly parent: string;
  readonly id: string;
}

/** What is asked of one document of a table, and done to it; each statement is prepared once. */
export class SqliteTable {
  readonly #db: DatabaseSync;
  readonly #name: string;
  readonly #columns: readonly string[];
  readonly #groups: readonly (readonly number[])[];
  readonly #statements = new Map<string | number, StatementSync>();

  constructor(db: DatabaseSync, shape: CollectionShape) {
    this.#db = db;
    this.#name = `"${shape.name}"`;
    this.#columns = columnsOf(shape).map(quoted);
    this.#groups = groupsOf(shape);
  }

  find({ parent, id }: Place): Record<string, SQLOutputValue> | undefined {
    return this.#prepared(
      'find',
      () => `SELECT version, fields, bytes FROM ${this.#name} WHERE parent = ? AND id = ?`,
    ).get(parent, id);
  }

  versionOf({ parent, id }: Place): SQLOutputValue | undefined {
    const statement = this.#prepared(
      'version',
      () => `SELECT version FROM ${this.#name} WHERE parent = ? AND id = ?`,
    );
    return statement.get(parent, id)?.['version'];
  }

  remove({ parent, id }: Place): void {
    this.#prepared('remove', () => this.#removal()).run(parent, id);
  }

  /** False: it is not there, or has another version. */
  removeAt({ parent, id }: Place, expect: Version): boolean {
    const statement = this.#prepared('remove at', () => `${this.#removal()} AND version = ?`);
    return statement.run(parent, id, expect).changes === 1;
  }

  /** False: it is there. */
  create({ parent, id }: Place, version: Version, { values, data, bytes }: Stored): boolean {
    const statement = this.#prepared('create', () => `${this.#insertion()} DO NOTHING`);
    return statement.run(parent, id, version, ...values, data, bytes).changes === 1;
  }

  put({ parent, id }: Place, version: Version, { values, data, bytes }: Stored): void {
    const statement = this.#prepared('put', () => {
      const set = ['version', ...this.#columns, 'fields', 'bytes'];
      const assigned = set.map((column) => `${column} = excluded.${column}`);
      return `${this.#insertion()} DO UPDATE SET ${assigned.join(', ')}`;
    });
    statement.run(parent, id, version, ...values, data, bytes);
  }

  /**
   * False: it is not there, or has another version than expected. `known`: its values at that
   * version, so that what did not change is left alone; undefined: all are written.
   */
  update(
    { parent, id }: Place,
    version: Version,
    { values, data, bytes }: Stored,
    expect: Version,
    known: readonly SQLInputValue[] | undefined,
  ): boolean {
    let changed = 0;
    const written: SQLInputValue[] = [];
    this.#groups.forEach((group, bit) => {
      if (known !== undefined && group.every((at) => known[at] === values[at])) return;
      changed |= 1 << bit;
      for (const at of group) written.push(values[at] ?? null);
    });
    const statement = this.#prepared(changed, () => {
      const columns = this.#groups.flatMap((group, bit) =>
        (changed & (1 << bit)) === 0 ? [] : group.map((at) => `, ${this.#columns[at]} = ?`),
      );
      const set = `version = ?, fields = ?, bytes = ?${columns.join('')}`;
      return `UPDATE ${this.#name} SET ${set} WHERE parent = ? AND id = ? AND version = ?`;
    });
    return statement.run(version, data, bytes, ...written, parent, id, expect).changes === 1;
  }

  #removal(): string {
    return `DELETE FROM ${this.#name} WHERE parent = ? AND id = ?`;
  }

  #insertion(): string {
    const columns = ['parent', 'id', 'version', ...this.#columns, 'fields', 'bytes'];
    const places = columns.map(() => '?').join(', ');
    return `INSERT INTO ${this.#name} (${columns.join(', ')}) VALUES (${places}) ON CONFLICT`;
  }

  #prepared(what: string | number, sql: () => string): StatementSync {
    const known = this.#statements.get(what);
    if (known !== undefined) return known;
    const statement = this.#db.prepare(sql());
    this.#statements.set(what, statement);
    return statement;
  }
}

import type { SQLInputValue } from 'node:sqlite';
import type { CollectionShape } from '../domain/collections.ts';
import type { Fields, Value } from '../ports/backend.ts';

/**
 * The fields of a collection that its indexes name. Each has a column of its own, so that an update
 * writes only the indexes of what it changes: with indexes over the document itself each update
 * would write them all.
 */
export function columnsOf(shape: CollectionShape): readonly string[] {
  const known = columns.get(shape);
  if (known !== undefined) return known;
  const named = [...new Set(shape.indexes.flatMap((index) => index.map(({ field }) => field)))];
  columns.set(shape, named);
  return named;
}

const columns = new WeakMap<CollectionShape, readonly string[]>();

/** A document's values in the columns of its collection, in their order. */
export function valuesOf(shape: CollectionShape, fields: Fields): readonly SQLInputValue[] {
  return columnsOf(shape).map((field) => columnValue(fields[field]));
}

/**
 * What a column holds of a field: numbers sort before text, text by its bytes. Null for what no
 * query can ask for. `1`, `true` and `"1"` are different, and SQLite has no booleans.
 */
export function columnValue(value: Value | undefined): SQLInputValue {
  if (typeof value === 'string' || typeof value === 'number') return value;
  if (typeof value === 'boolean') return value ? TRUE : FALSE;
  return null;
}

const TRUE = Uint8Array.of(1);
const FALSE = Uint8Array.of(0);

/** Of `few`, only the rows that have a value to order by are in it. */
export interface Index {
  readonly name: string;
  readonly ordered: readonly string[];
  readonly carried: readonly string[];
  readonly few: boolean;
}

/**
 * SQLite walks an index in both directions, ties included, so one serves `asc` and `desc`. What
 * only narrows is carried behind the order, so that it is sorted out without a look at the rows.
 */
export function indexesOf({ name, indexes }: CollectionShape): readonly Index[] {
  const found = new Map<string, Index>();
  for (const index of indexes) {
    const of = (narrows: boolean) =>
      index.filter((each) => (each.narrows === true) === narrows).map(({ field }) => field);
    const ordered = of(false);
    const key = ordered.join('_');
    const before = found.get(key);
    const carried = [...new Set([...(before?.carried ?? []), ...of(true)])];
    const few = before?.few === true || index.some(({ sparse }) => sparse === true);
    const parts = [name, 'by', key, ...(carried.length > 0 ? ['with', ...carried] : [])];
    found.set(key, { name: parts.join('_'), ordered, carried, few });
  }
  return [...found.values()];
}

/**
 * Places of columns that the same indexes name. They are written together, since to write one
 * writes those indexes: so a table has no more kinds of updates than sets of indexes that change.
 */
export function groupsOf(shape: CollectionShape): readonly (readonly number[])[] {
  const indexes = indexesOf(shape);
  const groups = new Map<string, number[]>();
  columnsOf(shape).forEach((column, at) => {
    const naming = indexes.filter(({ ordered, carried }) =>
      [...ordered, ...carried].includes(column),
    );
    const key = naming.map(({ name }) => name).join();
    groups.set(key, [...(groups.get(key) ?? []), at]);
  });
  return [...groups.values()];
}

/** Field names become part of a statement, and must stand in the JSON as they are. */
export function quoted(field: string): string {
  if (!/^[A-Za-z][A-Za-z0-9_]*$/.test(field))
    throw new TypeError('not the name of an indexed field');
  return `"${field}"`;
}

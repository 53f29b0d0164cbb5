import type { SQLInputValue } from 'node:sqlite';
import type { Position, RowQuery } from '../ports/backend.ts';
import { collectionAddress } from '../store/addresses.ts';
import { type Edge, rangeOf, requireIndex } from '../store/query-plan.ts';
import { columnValue, quoted } from './sqlite-columns.ts';

/**
 * A statement whose text depends only on the query's form, so that it is prepared once, and its
 * values.
 */
export interface Statement {
  readonly sql: string;
  readonly values: readonly SQLInputValue[];
}

export function selectRows(query: RowQuery, after: Position | undefined): Statement {
  return select('id, version, fields, bytes', query, after);
}

/** Which rows they are, and of which version: a third of the time, for rows that are known. */
export function selectVersions(query: RowQuery, after: Position | undefined): Statement {
  return select('id, version', query, after);
}

function select(columns: string, query: RowQuery, after: Position | undefined): Statement {
  const { from, values } = matching(query, after);
  const direction = query.order?.direction === 'desc' ? 'DESC' : 'ASC';
  const order = query.order === undefined ? [] : [`${quoted(query.order.field)} ${direction}`];
  return {
    sql: `SELECT ${columns} ${from} ORDER BY ${[...order, `id ${direction}`].join(', ')} LIMIT ?`,
    values: [...values, query.limit],
  };
}

export function countRows(query: RowQuery): Statement {
  const { from, values } = matching(query, undefined);
  return {
    sql: `SELECT count(*) AS count FROM (SELECT 1 ${from} LIMIT ?)`,
    values: [...values, query.limit],
  };
}

function matching(query: RowQuery, after: Position | undefined) {
  const { parent, shape } = collectionAddress(query.collection);
  requireIndex(shape, query);
  const terms = ['parent = ?'];
  const values: SQLInputValue[] = [parent];
  for (const { field, equals } of query.filters) {
    terms.push(`${quoted(field)} = ?`);
    values.push(columnValue(equals));
  }
  const ordered = query.order === undefined ? undefined : quoted(query.order.field);
  const bound = (edge: Edge | undefined, sign: '<' | '>') => {
    if (edge === undefined) return;
    const compare = edge.inclusive ? `${sign}=` : sign;
    if (ordered === undefined) {
      terms.push(`id ${compare} ?`);
      values.push(String(edge.value));
    } else if (edge.id === undefined) {
      terms.push(`${ordered} ${compare} ?`);
      values.push(edge.value);
    } else {
      // The index is searched by the first term: by the second alone each row before the place
      // would be walked through, on every page anew.
      terms.push(`${ordered} ${sign}= ?`, `(${ordered}, id) ${compare} (?, ?)`);
      values.push(edge.value, edge.value, edge.id);
    }
  };
  const range = rangeOf(query, after);
  // Minus infinity is before every number and text but not before null, so rows without the field
  // are outside the range of the index; as `IS NOT NULL` they would be walked through.
  if (ordered !== undefined && range.low === undefined) terms.push(`${ordered} >= -9e999`);
  bound(range.low, '>');
  bound(range.high, '<');
  return { from: `FROM "${shape.name}" WHERE ${terms.join(' AND ')}`, values };
}

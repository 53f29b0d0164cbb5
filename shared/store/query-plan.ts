import type { CollectionShape } from '../domain/collections.ts';
import type { Position, RowQuery } from '../ports/backend.ts';
import { Fault } from '../ports/faults.ts';

/**
 * Refuses a query that no index of the registry serves. One machine and the emulator would answer
 * it all the same, and it would fail when deployed.
 */
export function requireIndex(shape: CollectionShape, query: RowQuery): void {
  const { filters, order } = query;
  const filtered = new Set(filters.map((filter) => filter.field));
  const served = shape.indexes.some((index) => {
    const leading = index.slice(0, filtered.size);
    if (leading.length < filtered.size) return false;
    if (!leading.every(({ field }) => filtered.has(field))) return false;
    if (order === undefined) return true;
    const [last, ...rest] = index.slice(filtered.size);
    return rest.length === 0 && last?.field === order.field && last.direction === order.direction;
  });
  const byId = order === undefined && filters.length === 0;
  if (!served && !byId) {
    throw new Fault('NoIndex', 'stop', `no index of ${shape.name} serves this query`);
  }
}

/**
 * One end of a query's range: a bound on the ordered value, or the place of a row (then `id` is
 * set).
 */
export interface Edge {
  readonly value: string | number;
  readonly inclusive: boolean;
  readonly id?: string;
}

/**
 * Where the query's rows lie in its order's field, with the page's start put in place of the bound
 * that it narrows.
 */
export interface Range {
  readonly low: Edge | undefined;
  readonly high: Edge | undefined;
}

export function rangeOf(query: RowQuery, after: Position | undefined): Range {
  const { from: low, to: high } = query;
  if (after === undefined) return { low, high };
  const edge: Edge = { value: after.value ?? after.id, inclusive: false, id: after.id };
  return query.order?.direction === 'desc'
    ? { low, high: narrower(high, edge, -1) }
    : { low: narrower(low, edge, 1), high };
}

function narrower(bound: Edge | undefined, place: Edge, direction: 1 | -1): Edge {
  if (bound === undefined) return place;
  const compared = direction * compareValues(place.value, bound.value);
  if (compared === 0) return bound.inclusive ? place : bound;
  return compared > 0 ? place : bound;
}

/** Numbers before strings, strings by their UTF-8 bytes: the order of every backend. */
export function compareValues(a: string | number, b: string | number): number {
  if (typeof a === 'number') return typeof b === 'number' ? a - b : -1;
  return typeof b === 'number' ? 1 : Buffer.compare(Buffer.from(a), Buffer.from(b));
}

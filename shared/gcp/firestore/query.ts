import type { FieldPath, Query } from '@google-cloud/firestore';
import type { Position, RowQuery } from '../../ports/backend.ts';
import { Fault } from '../../ports/faults.ts';
import { documentAddress } from '../../store/addresses.ts';
import type { FirestoreClient } from './client.ts';

/** Without its limit. */
export function queryOf(client: FirestoreClient, query: RowQuery, after?: Position): Query {
  const id = client.library.FieldPath.documentId();
  const { order } = query;
  const field: string | FieldPath = order?.field ?? id;
  const direction = order?.direction ?? 'asc';

  let built: Query = client.firestore.collection(query.collection);
  for (const filter of query.filters) built = built.where(filter.field, '==', filter.equals);
  if (query.from !== undefined) {
    built = built.where(field, query.from.inclusive ? '>=' : '>', query.from.value);
  }
  if (query.to !== undefined) {
    built = built.where(field, query.to.inclusive ? '<=' : '<', query.to.value);
  }
  // A bound leaves null out, an order alone does not. It needs no other index than the order.
  const bounded = query.from !== undefined || query.to !== undefined;
  if (order !== undefined && !bounded) built = built.where(order.field, '!=', null);

  built = built.orderBy(field, direction);
  if (order !== undefined) built = built.orderBy(id, direction);
  if (after === undefined) return built;
  requirePlace(query, after);
  return order === undefined
    ? built.startAfter(after.id)
    : built.startAfter(after.value ?? after.id, after.id);
}

/**
 * A position may come from a client's page token; the client library would call a wrong one a bug
 * of ours.
 */
function requirePlace(query: RowQuery, { id }: Position): void {
  if (id.includes('/')) throw new Fault('BadCursor', 'stop', 'not a place in this collection');
  documentAddress(`${query.collection}/${id}`);
}

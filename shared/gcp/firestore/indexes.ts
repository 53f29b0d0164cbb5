// Prints firestore.indexes.json:
//   node tools/node24.mjs shared/gcp/firestore/indexes.ts > firestore.indexes.json
import { allCollections, type CollectionShape, type IndexField } from '../../domain/collections.ts';

type Order = 'ASCENDING' | 'DESCENDING';

/** What `firebase deploy` and our Terraform module read. */
export interface IndexFile {
  readonly indexes: readonly {
    readonly collectionGroup: string;
    readonly queryScope: 'COLLECTION';
    readonly fields: readonly { readonly fieldPath: string; readonly order: Order }[];
  }[];
  readonly fieldOverrides: readonly {
    readonly collectionGroup: string;
    readonly fieldPath: string;
    readonly indexes: readonly { readonly order: Order; readonly queryScope: 'COLLECTION' }[];
  }[];
}

export function indexFile(collections: readonly CollectionShape[] = allCollections): IndexFile {
  return {
    indexes: collections.flatMap(({ name, indexes }) =>
      indexes
        // An index of one field is a field's own, below.
        .filter((fields) => fields.length > 1)
        .map((fields) => ({
          collectionGroup: name,
          queryScope: 'COLLECTION' as const,
          // No __name__: Firestore adds it in the last field's direction, which is the direction in
          // which our queries break ties, and the Firebase CLI leaves it out of what it compares.
          fields: fields.map(({ field, direction }) => ({
            fieldPath: field,
            order: orderOf(direction),
          })),
        })),
    ),
    fieldOverrides: collections.flatMap(overridesOf),
  };
}

/**
 * No field has an index of its own unless a query needs it. By default each has two: a timestamp's
 * would cap the collection at 500 writes a second, and sealed bytes and large maps would be written
 * twice more for nothing. The wildcard also covers the field that is added tomorrow.
 */
function overridesOf({ name, indexes }: CollectionShape): IndexFile['fieldOverrides'] {
  const own = new Map<string, Set<Order>>();
  const add = (field: string, order: Order): void => {
    own.set(field, (own.get(field) ?? new Set()).add(order));
  };
  for (const fields of indexes) {
    const last = fields.at(-1);
    // Filters without an order are served by merging the indexes of single fields.
    for (const { field } of fields.slice(0, -1)) add(field, 'ASCENDING');
    if (fields.length === 1 && last !== undefined) add(last.field, orderOf(last.direction));
  }
  const override = (fieldPath: string, orders: readonly Order[]) => ({
    collectionGroup: name,
    fieldPath,
    indexes: orders.map((order) => ({ order, queryScope: 'COLLECTION' as const })),
  });
  return [override('*', []), ...[...own].map(([field, orders]) => override(field, [...orders]))];
}

function orderOf(direction: IndexField['direction']): Order {
  return direction === 'asc' ? 'ASCENDING' : 'DESCENDING';
}

if (import.meta.main) process.stdout.write(`${JSON.stringify(indexFile(), undefined, 2)}\n`);

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { allCollections } from '../../domain/collections.ts';
import { indexFile } from './indexes.ts';

test('firestore.indexes.json is what the registry of collections says', () => {
  const text = readFileSync(new URL('../../../firestore.indexes.json', import.meta.url), 'utf8');
  expect(JSON.parse(text), 'print it anew, as shared/gcp/firestore/indexes.ts says').toEqual(
    indexFile(),
  );
});

test('a composite index holds filters, then the order; its tie-break is implied by the last direction', () => {
  const { indexes } = indexFile();
  expect(indexes).toContainEqual({
    collectionGroup: 'tasks',
    queryScope: 'COLLECTION',
    fields: [
      { fieldPath: 'scope', order: 'ASCENDING' },
      { fieldPath: 'statusAt', order: 'DESCENDING' },
    ],
  });
  expect(JSON.stringify(indexes)).not.toContain('__name__');
});

test('no field but those that queries filter by has an index of its own', () => {
  const { fieldOverrides } = indexFile();
  for (const { name } of allCollections) {
    expect(fieldOverrides).toContainEqual({ collectionGroup: name, fieldPath: '*', indexes: [] });
  }
  const indexed = fieldOverrides.filter(({ indexes }) => indexes.length > 0);
  expect(
    indexed.map(({ collectionGroup, fieldPath }) => `${collectionGroup}.${fieldPath}`),
  ).toEqual([
    'runs.shard',
    'runs.status',
    'runs.agent',
    'runs.contextId',
    'runs.reason',
    'runs.attention',
    'webhooks.shard',
    'notices.seq',
    'notices.expiresAt',
    'receipts.taskId',
    'receipts.shard',
    'tasks.scope',
    'tasks.contextId',
    'tasks.state',
    'audit.taskId',
    'costs.day',
  ]);
});

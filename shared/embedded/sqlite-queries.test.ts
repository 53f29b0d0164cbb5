import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import type { Position, RowQuery } from '../ports/backend.ts';
import { countRows, selectRows, type Statement } from './sqlite-queries.ts';
import { openDatabase } from './sqlite-schema.ts';

const page: RowQuery = {
  collection: 'tasks',
  filters: [
    { field: 'scope', equals: 's' },
    { field: 'state', equals: 'WORKING' },
    { field: 'contextId', equals: 'c' },
  ],
  order: { field: 'statusAt', direction: 'desc' },
  limit: 50,
};
const due: RowQuery = {
  collection: 'runs',
  filters: [{ field: 'shard', equals: 3 }],
  order: { field: 'dueAt', direction: 'asc' },
  to: { value: 1_000, inclusive: true },
  limit: 100,
};
const byId: RowQuery = {
  collection: 'tasks/t/events',
  filters: [],
  order: undefined,
  from: { value: '7', inclusive: false },
  limit: 10,
};
const place: Position = { value: 500, id: 'x' };

test.each<[string, Statement, string]>([
  ['a page of tasks', selectRows(page, undefined), 'tasks_by_scope_contextId_statusAt_with_state'],
  [
    'the next page of tasks',
    selectRows(page, place),
    'tasks_by_scope_contextId_statusAt_with_state',
  ],
  ['a count of tasks', countRows(page), 'tasks_by_scope_contextId_statusAt_with_state'],
  ['what is due', selectRows(due, undefined), 'runs_by_shard_dueAt'],
  ['more of what is due', selectRows(due, place), 'runs_by_shard_dueAt'],
  ['a count of what is due', countRows(due), 'runs_by_shard_dueAt'],
  ['a journal from a place', selectRows(byId, undefined), 'sqlite_autoindex_events_1'],
])('%s is one range of an index, read in its order', (_name, statement, index) => {
  const steps = explain(database(), statement);
  // A count is one of the rows that a range gave.
  const found = steps.filter((step) => !/^(CO-ROUTINE|SCAN) \(?subquery/i.test(step));
  expect(found).toHaveLength(1);
  expect(found[0]).toMatch(new RegExp(`^SEARCH \\w+ USING (COVERING )?INDEX ${index} \\(`));
});

test('a range starts behind the rows that have no value to order by', () => {
  const [step] = explain(database(), selectRows(due, undefined));
  expect(step).toContain('dueAt>? AND dueAt<?');
});

test.each([
  ['ascending', selectRows(due, place), 'dueAt'],
  ['descending', selectRows(page, place), 'statusAt'],
])('a page that is not the first starts at its place: %s', (_, statement, order) => {
  const [step] = explain(database(), statement);
  expect(step).toContain(`${order}>? AND ${order}<?`);
});

function explain(db: DatabaseSync, { sql, values }: Statement): string[] {
  const steps = db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...values);
  return steps.map((step) => String(step['detail']));
}

function database(): DatabaseSync {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-'));
  const db = openDatabase({ file: join(folder, 'store.sqlite') });
  onTestFinished(() => {
    db.close();
    rmSync(folder, { recursive: true });
  });
  return db;
}

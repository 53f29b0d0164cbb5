import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync, type SQLInputValue, StatementSync } from 'node:sqlite';
import { expect, onTestFinished, test, vi } from 'vitest';
import { collections } from '../domain/collections.ts';
import type { Backend, Fields, Value, Version, Write } from '../ports/backend.ts';
import { openSqliteBackend } from './sqlite-backend.ts';
import { columnsOf, groupsOf } from './sqlite-columns.ts';

const columns = columnsOf(collections.runs);

/** What fields can hold, and what is easily taken for another. */
const VALUES: readonly (Value | undefined)[] = [
  undefined,
  null,
  true,
  false,
  0,
  1,
  -2.5,
  0.1 + 0.2,
  2 ** 60,
  1e300,
  '',
  '1',
  'true',
  'null',
  '"quoted" \\ \u0000 ä \u{1F600}',
  [1],
  { a: 1 },
  Uint8Array.of(1, 2),
];

test.each([1, 2, 3, 4, 5])(
  'each column says what its document says, whatever was written, by whom and how it ended (seed %i)',
  async (seed) => {
    const file = newFile();
    const [ours, others] = [open(file), open(file)];
    const chance = randomOf(seed);
    const pick = <T>(of: readonly T[]): T => of[Math.floor(chance() * of.length)] as T;
    /** Of each document the last versions, of which at most one is still true. */
    const versions = new Map<string, readonly Version[]>();
    const isGiven = (): boolean => chance() < 0.3;
    let before: Fields = {};
    const write = (): Write => {
      const path = `runs/${Math.floor(chance() * 8)}`;
      const expected = pick([...(versions.get(path) ?? []), 'any' as const]);
      if (chance() < 0.1) return { path, fields: undefined, expect: expected };
      const given = columns.filter(isGiven).map((field) => [field, pick(VALUES)] as const);
      // Most fields stay as they were, most often.
      before = { ...(chance() < 0.8 ? before : {}), ...Object.fromEntries(given) } as Fields;
      const fields = Object.fromEntries(Object.entries(before).filter(([, v]) => v !== undefined));
      return { path, fields, expect: chance() < 0.2 ? 'absent' : expected };
    };
    const commit = async (backend: Backend): Promise<string> => {
      const writes = [write(), ...(isGiven() ? [write()] : [])];
      const outcome = await backend.commit([], writes).catch(() => 'fault' as const);
      if (typeof outcome === 'string') return outcome;
      writes.forEach(({ path }, at) => {
        const version = outcome.versions[at];
        if (version !== undefined)
          versions.set(path, [...(versions.get(path) ?? []).slice(-1), version]);
      });
      return 'committed';
    };
    const commits = failingCommits();
    const outcomes = new Map<string, number>();
    for (let round = 0; round < 150; round += 1) {
      commits.fails = chance() < 0.1;
      const backend = chance() < 0.7 ? ours : others;
      const group = Array.from({ length: pick([1, 1, 2, 4]) }, () => commit(backend));
      for (const outcome of await Promise.all(group))
        outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
      if (isGiven()) await pick([ours, others]).read(['runs/1', 'runs/2']);
      commits.fails = false;
    }
    expect([...outcomes.keys()].toSorted()).toEqual(['committed', 'conflict', 'fault']);
    expectColumnsOf(file);
  },
);

test('an update writes the indexes of what it changes; one of a version that is not known, all', async () => {
  const file = newFile();
  const backend = open(file);
  const path = 'runs/r';
  const fields = { shard: 1, dueAt: 1, statusAt: 1, status: 'queued', createdAt: 1, cost: 1 };
  await backend.commit([], [{ path, fields, expect: 'absent' }]);
  const pages = pagesOf(file);
  const update = async (on: Backend, changed: Fields): Promise<readonly string[]> => {
    const [row] = await on.read([path]);
    const written = pages();
    const next = { ...row?.fields, ...changed };
    await on.commit([], [{ path, fields: next, expect: row?.version ?? '' }]);
    return written();
  };
  const status = 'runs_by_shard_statusAt_with_status_agent_contextId_reason_attention';
  expect(await update(backend, { note: 1 })).toEqual(['runs']);
  expect(await update(backend, { dueAt: null })).toEqual(['runs', 'runs_by_shard_dueAt']);
  expect(await update(backend, { status: 'running' })).toEqual(['runs', status]);
  const all = [
    'runs',
    'runs_by_shard_cost',
    'runs_by_shard_createdAt',
    'runs_by_shard_dueAt',
    status,
  ];
  expect(await update(backend, { shard: 2 })).toEqual(all);
  const version = (await backend.read([path]))[0]?.version ?? '';
  const other = open(file);
  const written = pages();
  await other.commit([], [{ path, fields, expect: version }]);
  expect(written()).toEqual(all);
});

test('no table has more kinds of updates than fit a few prepared statements', () => {
  const kinds = Object.values(collections).map((shape) => 2 ** groupsOf(shape).length);
  expect(Math.max(...kinds)).toBeLessThanOrEqual(64);
});

/** Reads the tables past the code that wrote them. */
function expectColumnsOf(file: string): void {
  const db = new DatabaseSync(file, { readOnly: true });
  const rows = db.prepare('SELECT * FROM runs').all();
  expect(rows.length).toBeGreaterThan(0);
  for (const row of rows) {
    const fields = JSON.parse(String(row['fields'])) as Record<string, unknown>;
    const expected = columns.map((field) => [field, columnOf(fields[field])]);
    expect(Object.fromEntries(columns.map((field) => [field, row[field]]))).toEqual(
      Object.fromEntries(expected),
    );
  }
  expect(db.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' });
  db.close();
}

function columnOf(value: unknown): SQLInputValue {
  if (typeof value === 'boolean') return Uint8Array.of(Number(value));
  return typeof value === 'string' || typeof value === 'number' ? value : null;
}

/** The disk is full at a COMMIT, now and then. */
function failingCommits(): { fails: boolean } {
  const commits = { fails: false };
  // oxlint-disable-next-line typescript/unbound-method -- called below, for its statement
  const run = StatementSync.prototype.run;
  vi.spyOn(StatementSync.prototype, 'run').mockImplementation(function (
    this: StatementSync,
    ...values: Parameters<typeof run>
  ) {
    if (commits.fails && this.sourceSQL === 'COMMIT')
      throw Object.assign(new Error('full'), { errcode: 13 });
    return run.apply(this, values);
  });
  onTestFinished(() => void vi.restoreAllMocks());
  return commits;
}

/** Asked twice, the names of the tables and indexes of one page whose page was written between. */
function pagesOf(file: string): () => () => readonly string[] {
  const db = new DatabaseSync(file);
  onTestFinished(() => db.close());
  const roots = new Map<number, string>();
  for (const { name, rootpage } of db.prepare('SELECT name, rootpage FROM sqlite_schema').all())
    roots.set(Number(rootpage), String(name));
  return () => {
    db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    return () => {
      const log = readFileSync(`${file}-wal`);
      const names: string[] = [];
      // https://sqlite.org/fileformat2.html#the_write_ahead_log: 32 bytes, then frames of 24 and a
      // page, which begin with the number of the page.
      for (let at = 32; at + 24 <= log.length; at += 24 + 4_096)
        names.push(roots.get(log.readUInt32BE(at)) ?? 'another');
      return [...new Set(names)].toSorted();
    };
  };
}

/** A linear congruential generator: a seed repeats it. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

function open(file: string): Backend {
  const backend = openSqliteBackend({ file });
  onTestFinished(() => backend.close());
  return backend;
}

function newFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 'store.sqlite');
}

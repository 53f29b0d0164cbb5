import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test, vi } from 'vitest';
import { idOf } from '../store/cursor.ts';
import { openSqliteBackend } from './sqlite-backend.ts';

const otherProcess = fileURLToPath(
  new URL('../../test/conformance/other-process.ts', import.meta.url),
);
const events = 'tasks/t/events';
const journal = { collection: events, filters: [], order: undefined, limit: 1_000 };
const write = { path: 'tasks/t', fields: { n: 1 }, expect: 'any' as const };

test('processes that make the file at once, and are killed, leave each commit and no gap', async () => {
  const file = newFile();
  const ended = [1, 2, 3].map(() => run('append', file, events, '50'));
  await Promise.all(ended);
  const backend = open(file);
  const rows = await backend.query(journal);
  expect(rows.map(({ fields }) => fields['n'])).toEqual(
    Array.from({ length: 150 }, (_, n) => n + 1),
  );
});

test('a reader sees each row of two other processes once and in order, while it writes too', async () => {
  const file = newFile();
  const backend = open(file);
  const controller = new AbortController();
  const seen: string[] = [];
  const reading = (async () => {
    for await (const rows of backend.follow(journal, undefined, controller.signal)) {
      seen.push(...rows.map(({ path }) => idOf(path)));
      if (seen.length >= 101) controller.abort();
    }
  })();
  await Promise.all([run('append', file, events, '50'), run('append', file, events, '50')]);
  const last = { path: `${events}/999999`, fields: {}, expect: 'absent' as const };
  await backend.commit([], [last]);
  await reading;
  const all = Array.from({ length: 100 }, (_, n) => String(n + 1).padStart(6, '0'));
  expect(seen).toEqual([...all, '999999']);
});

test('a version does not come back after a restart, though each counts from the start', async () => {
  const file = newFile();
  const versions = new Set<string | undefined>();
  for (let start = 0; start < 3; start += 1) {
    const backend = openSqliteBackend({ file });
    await backend.commit([], [write]);
    versions.add((await backend.read([write.path]))[0]?.version);
    await backend.commit([], [{ ...write, fields: undefined }]);
    await backend.close();
  }
  expect(versions.size).toBe(3);
});

test('a file that another process holds past the timeout is Unavailable, and then free again', async () => {
  const file = newFile();
  const backend = open(file, 1);
  const holder = new DatabaseSync(file);
  onTestFinished(() => holder.close());
  holder.exec('BEGIN IMMEDIATE');
  await expect(backend.commit([], [write])).rejects.toMatchObject({
    name: 'Unavailable',
    advice: 'retry',
  });
  expect(await backend.read([write.path])).toEqual([undefined]);
  holder.exec('COMMIT');
  expect(await backend.commit([], [write])).not.toBe('conflict');
});

test('a closed backend is Unavailable, and its followers are told', async () => {
  const backend = open(newFile());
  const { signal } = new AbortController();
  const next = backend.follow(journal, undefined, signal)[Symbol.asyncIterator]().next();
  await backend.close();
  await expect(next).rejects.toMatchObject({ name: 'Unavailable' });
  await expect(backend.read([write.path])).rejects.toMatchObject({ name: 'Unavailable' });
});

test('a thousand readers that wait are woken by their own news only, and leave no timer', async () => {
  const backend = open(newFile());
  const started = vi.spyOn(globalThis, 'setInterval');
  const ended = vi.spyOn(globalThis, 'clearInterval');
  onTestFinished(() => {
    vi.restoreAllMocks();
  });
  const controller = new AbortController();
  let rows = 0;
  const readers = Array.from({ length: 1_000 }, async (_, n) => {
    const query = { ...journal, collection: `tasks/${n}/events` };
    for await (const batch of backend.follow(query, undefined, controller.signal)) {
      rows += batch.length;
    }
  });
  await backend.commit([], [{ path: 'tasks/7/events/1', fields: {}, expect: 'absent' }]);
  controller.abort();
  await Promise.all(readers);
  expect(rows).toBe(1);
  const [poll] = started.mock.results;
  expect(started).toHaveBeenCalledTimes(1);
  expect(ended).toHaveBeenCalledWith(poll?.value);
});

test('a row that can’t be understood is Unreadable, and no word of it is in the fault', async () => {
  const file = newFile();
  const backend = open(file);
  const bytes = Uint8Array.of(1, 2, 3);
  await backend.commit([], [{ ...write, fields: { bytes, secret: 'word' } }]);
  const db = new DatabaseSync(file);
  onTestFinished(() => db.close());
  db.exec(`UPDATE tasks SET bytes = x'01'`);
  const fault = await backend.read([write.path]).catch((error: unknown) => String(error));
  expect(fault).toBe("Unreadable: a document of tasks can't be read");
});

test('a list answers rows that did not change as it did before, and others as they are now', async () => {
  const file = newFile();
  const [backend, other] = [open(file), open(file)];
  const task = (id: string, statusAt: number) => ({
    path: `tasks/${id}`,
    fields: { scope: 's', statusAt, content: Uint8Array.of(statusAt) },
    expect: 'any' as const,
  });
  const list = async () =>
    backend.query({
      collection: 'tasks',
      filters: [{ field: 'scope', equals: 's' }],
      order: { field: 'statusAt', direction: 'desc' },
      limit: 10,
    });
  const shown = async () => (await list()).map(({ path, fields }) => [path, fields['statusAt']]);
  await backend.commit([], [task('a', 1), task('b', 2), task('c', 3)]);
  const before = await list();
  const again = await list();
  expect(again).toEqual(before);
  expect(again.every((row, at) => row === before[at])).toBe(true);
  await backend.commit([], [task('a', 4)]);
  await other.commit([], [task('b', 5)]);
  expect(await shown()).toEqual([
    ['tasks/b', 5],
    ['tasks/a', 4],
    ['tasks/c', 3],
  ]);
  expect((await list())[2]).toBe(before[0]);
  await other.commit([], [{ ...task('a', 0), fields: undefined }]);
  await backend.commit([], [{ ...task('c', 0), fields: undefined }]);
  expect(await shown()).toEqual([['tasks/b', 5]]);
});

test('a file of a newer version, or of another kind, is Unreadable', () => {
  const newer = newFile();
  const db = new DatabaseSync(newer);
  db.exec('PRAGMA user_version = 99');
  db.close();
  expect(() => openSqliteBackend({ file: newer })).toThrow('schema 99, newer than 2');
  const foreign = newFile();
  writeFileSync(foreign, 'no database'.repeat(200));
  expect(() => openSqliteBackend({ file: foreign })).toThrow("can't be read");
});

function open(file: string, busyTimeout?: number) {
  const backend = openSqliteBackend({
    file,
    ...(busyTimeout === undefined ? {} : { busyTimeout }),
  });
  onTestFinished(() => backend.close());
  return backend;
}

function newFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 'store.sqlite');
}

/** Resolves when it has written all and was killed. */
function run(...args: string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [otherProcess, ...args], (error, stdout, stderr) => {
      if (error?.signal === 'SIGKILL' && stdout === 'written\n') resolve();
      else reject(new Error(`another process failed: ${stderr}`));
    });
  });
}

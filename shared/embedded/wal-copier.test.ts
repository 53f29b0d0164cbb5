import { EventEmitter } from 'node:events';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { WalCopier, walThread, type FromWalThread } from './wal-copier.ts';
import { openSqliteFile } from './sqlite-file.ts';

const MiB = 2 ** 20;
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'holdfast-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function written(megabytes: number): { readonly db: DatabaseSync; readonly file: string } {
  const file = join(folder, 'store.sqlite');
  const db = openSqliteFile({ file }, (fresh) => fresh.exec('CREATE TABLE rows (body BLOB)'));
  for (let n = 0; n < megabytes; n += 1)
    db.prepare('INSERT INTO rows VALUES (?)').run(new Uint8Array(MiB));
  return { db, file };
}

test('the log is copied into the file while its connection stays open', async () => {
  const { db, file } = written(13);
  const before = statSync(file).size;
  const copier = new WalCopier(() => walThread(file));
  copier.wrote(13, 13 * MiB);
  await copier.close();
  expect(before).toBeLessThan(MiB);
  expect(statSync(file).size).toBeGreaterThan(13 * MiB);
  expect(db.prepare('SELECT count(*) AS count FROM rows').get()).toEqual({ count: 13 });
  db.close();
});

test('a little stays in the log', async () => {
  const { db, file } = written(2);
  const copier = new WalCopier(() => walThread(file));
  copier.wrote(2, 2 * MiB);
  await copier.close();
  expect(statSync(file).size).toBeLessThan(MiB);
  db.close();
});

test('a thread that cannot open the file is lost, and nothing else', async () => {
  const copier = new WalCopier(() => walThread(join(folder, 'none', 'store.sqlite')));
  copier.wrote(1, 13 * MiB);
  await copier.close();
  copier.wrote(1, 13 * MiB);
  await copier.close();
});

test('a connection that others have open can be closed, and leaves no log', async () => {
  const { db, file } = written(13);
  const copier = new WalCopier(() => walThread(file));
  copier.wrote(13, 13 * MiB);
  await copier.close();
  db.close();
  expect(statSync(`${file}-wal`, { throwIfNoEntry: false })).toBeUndefined();
});

function scripted() {
  const asked: unknown[] = [];
  const holds: boolean[] = [];
  const thread = Object.assign(new EventEmitter(), {
    postMessage: (message: unknown) => asked.push(message),
    ref: () => void holds.push(true),
    unref: () => void holds.push(false),
  });
  const copier = new WalCopier(() => thread);
  const says = (message: FromWalThread) => thread.emit('message', message);
  return { asked, copier, holds, says, thread };
}

test('commits wait while the last of a log is copied that grows as fast, and then go on', () => {
  const { asked, copier, says } = scripted();
  const done: string[] = [];
  copier.wrote(1, 13 * MiB);
  copier.whenFree(() => done.push('while it is copied'));
  says('behind');
  copier.whenFree(() => done.push('after'));
  expect(done).toEqual(['while it is copied']);
  says('behind');
  expect(done).toEqual(['while it is copied', 'after']);
  expect(asked).toEqual(['copy', 'copy']);
});

test('a process that has nothing to do but a commit that waits does not end before it', () => {
  const { copier, holds, says } = scripted();
  copier.wrote(1, 13 * MiB);
  expect(holds).toEqual([false]);
  says('behind');
  expect(holds).toEqual([false, true]);
  says('copied');
  expect(holds).toEqual([false, true, false]);
});

test('commits go on when the thread is lost while they wait for it', () => {
  const { copier, says, thread } = scripted();
  const done: string[] = [];
  copier.wrote(1, 13 * MiB);
  says('behind');
  copier.whenFree(() => done.push('committed'));
  thread.emit('exit');
  expect(done).toEqual(['committed']);
});

test('a copy is asked for again when as much was written since, and not while one is under way', () => {
  const { asked, copier, says } = scripted();
  copier.wrote(1, 13 * MiB);
  copier.wrote(1, 13 * MiB);
  expect(asked).toEqual(['copy']);
  says('copied');
  copier.wrote(1, 1);
  expect(asked).toEqual(['copy', 'copy']);
});

import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { faultName } from '../shared/app/wake-up.ts';
import { openEmbedded } from '../shared/embedded/index.ts';
import { KeyMissing, Unavailable } from '../shared/ports/faults.ts';
import { startProblem } from './start-problem.ts';

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'holdfast-'));
  onTestFinished(() => rmSync(path, { recursive: true }));
  return path;
}

function problemOf(open: () => unknown): string | undefined {
  try {
    open();
    return 'none';
  } catch (error) {
    return startProblem(error);
  }
}

test.each([
  ['store.sqlite', "store.sqlite can't be read: file is not a database"],
  ['objects.index.sqlite', "objects.index.sqlite can't be read: file is not a database"],
  ['key', "key can't be read: it has 29 bytes, and each of its keys has 32"],
])('a start on a damaged %s says which file, and why', (file, words) => {
  const path = folder();
  writeFileSync(join(path, file), 'neither a database nor a key.');
  expect(problemOf(() => openEmbedded({ folder: path }))).toContain(words);
});

test('a start on a place that can not be a folder says which, and why', () => {
  const file = join(folder(), 'file');
  writeFileSync(file, '');
  expect(problemOf(() => openEmbedded({ folder: join(file, 'data') }))).toMatch(
    /the key file \S+ is unavailable: ENOTDIR: not a directory/,
  );
});

test.skipIf(process.getuid?.() === 0 || process.platform === 'win32')(
  'a start on a folder that can only be read says so',
  () => {
    const path = join(folder(), 'data');
    mkdirSync(path);
    chmodSync(path, 0o500);
    expect(problemOf(() => openEmbedded({ folder: path }))).toMatch(/EACCES: permission denied/);
  },
);

test('an error of a program keeps its stack', () => {
  expect(startProblem(new TypeError('x is not a function'))).toBeUndefined();
});

test.each([
  [
    new Unavailable('the object folder', Object.assign(new Error('no'), { code: 'ENOSPC' })),
    'Unavailable (ENOSPC)',
  ],
  [
    new Unavailable('the database file', Object.assign(new Error('no'), { errcode: 13 })),
    'Unavailable (SQLITE_FULL)',
  ],
  [new Unavailable('Firestore', Object.assign(new Error('no'), { code: 14 })), 'Unavailable'],
  [new Unavailable('Firestore', new Error('secret words')), 'Unavailable'],
  [new KeyMissing('key 1234'), 'KeyMissing (key 1234)'],
  ['a string', 'string'],
])('the log names the fault and the code behind it, and no message: %s', (error, name) => {
  expect(faultName(error)).toBe(name);
});

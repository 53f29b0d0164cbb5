import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { holdFolder } from './hold-folder.ts';

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'holdfast-held-'));
  onTestFinished(() => rmSync(made, { recursive: true }));
  return join(made, 'data');
}

function held(data: string, share: boolean) {
  const found = holdFolder(data, { share, patience: 0 });
  if (found.kind === 'in use') throw new Error(`in use by ${found.pid}`);
  onTestFinished(() => found.release());
  return found;
}

test('a folder that one server holds is refused to others, with the name of its process', () => {
  const data = folder();
  const one = held(data, false);
  expect(one.first).toBe(true);
  for (const share of [true, false])
    expect(holdFolder(data, { share, patience: 0 })).toEqual({ kind: 'in use', pid: process.pid });
  expect(statSync(data).mode & 0o077).toBe(0);
  one.release();
  expect(existsSync(join(data, 'server-pid'))).toBe(false);
  expect(held(data, false).first).toBe(true);
});

test('a folder is shared by servers that all say so; one of them is the first', () => {
  const data = folder();
  const one = held(data, true);
  const two = held(data, true);
  expect([one.first, two.first]).toEqual([true, false]);
  expect(holdFolder(data, { share: false, patience: 0 }).kind).toBe('in use');
  one.release();
  expect(held(data, true).first).toBe(true);
});

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { PackGone } from '../ports/workspaces.ts';
import { diskFault, refusedOrFault } from './disk-faults.ts';

function thrownBy(path: string): unknown {
  try {
    return readFileSync(path);
  } catch (error) {
    return error;
  }
}

function ofSystem(code: string): Error {
  return Object.assign(new Error(code), { code, syscall: 'write' });
}

test("a file that an agent's own process took away meanwhile is refused by its path", () => {
  const error = refusedOrFault('/nowhere/folder', thrownBy('/nowhere/folder/a/b'));
  expect(error).toMatchObject({ name: 'WorkspaceRefused', path: 'a/b', advice: 'stop' });
});

test('a full disk and a file elsewhere are faults of the machine, to be tried again', () => {
  for (const error of [ofSystem('ENOSPC'), ofSystem('EIO'), thrownBy('/nowhere/other')]) {
    const expected = { name: 'Unavailable', advice: 'retry', cause: error };
    expect(refusedOrFault('/nowhere/folder', error)).toMatchObject(expected);
    expect(diskFault(error)).toMatchObject(expected);
  }
});

test('a fault and a mistake of ours stay what they are', () => {
  for (const error of [new PackGone('x'), new TypeError('x')]) {
    expect(refusedOrFault('/nowhere', error)).toBe(error);
    expect(diskFault(error)).toBe(error);
  }
});

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openPorts } from './open-ports.ts';
import { readArguments } from './start/arguments.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'holdfast-ports-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

it.each([
  ['this machine begin with the time', [], '7'],
  ['Firestore are random', ['--store', 'firestore', '--project', 'p'], '4'],
])('ids of rows on %s', async (_, args, version) => {
  const options = readArguments(['--data', folder, ...args], {});
  if (options === undefined) throw new TypeError('no options');
  const opened = await openPorts(options);
  expect(opened.ports.ids.uuid().charAt(14)).toBe(version);
  await opened.close();
});

import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { MISTAKES } from './mistakes.ts';
import { MODULE, PLACES } from './places.ts';
import { knownSchema } from './provider/serve.ts';
import { checkFolder } from './static-check.ts';
import { TERRAFORM } from './workspace.ts';

const schema = knownSchema();

test.each(PLACES)('without the binary, nothing is found wrong in %s', async (place) => {
  expect(await checkFolder(join(TERRAFORM, place), schema)).toEqual([]);
});

test.each(MISTAKES.filter((mistake) => mistake.static))(
  'the static check catches $what',
  async ({ file, from, to }) => {
    const folder = mkdtempSync(join(tmpdir(), 'holdfast-static-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    cpSync(join(TERRAFORM, MODULE), folder, { recursive: true });
    const path = join(folder, file);
    writeFileSync(path, readFileSync(path, 'utf8').replace(from, to));
    expect(await checkFolder(folder, schema)).not.toEqual([]);
  },
);

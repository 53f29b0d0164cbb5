import { spawnSync } from 'node:child_process';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { exampleFolder } from './example-folder.ts';
import { ROOT } from './readme.ts';

it('the first example of the page passes under node:test', async () => {
  const page = await readFile(join(ROOT, 'docs/testing.md'), 'utf8');
  const [, example = ''] = /```ts\n(.*?)```/s.exec(page) ?? [];
  const folder = await exampleFolder();
  onTestFinished(() => rm(folder, { recursive: true }));
  for (const name of ['agents', 'test']) await mkdir(join(folder, name));
  const agent = join(ROOT, 'project/template/agents/greeter.ts');
  await writeFile(join(folder, 'agents/greeter.ts'), await readFile(agent));
  const file = join(folder, 'test/greeter.test.ts');
  await writeFile(file, example);
  const { status, stdout } = spawnSync(process.execPath, ['--test', file], { encoding: 'utf8' });
  expect(stdout).toMatch(/pass 1\b/);
  expect(status).toBe(0);
});

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { loadAgents } from '../../functions/load-agents.ts';
import { ROOT } from './readme.ts';

const readme = await readFile(join(ROOT, 'README.md'), 'utf8');
const section = readme.split('\n## More samples\n')[1]?.split('\n## ')[0] ?? '';
const modules = [...section.matchAll(/^\| \[(examples\/[^\]]+)\]/gm)].map(([, path = '']) => path);

it('the README lists every sample', async () => {
  const folders = await readdir(join(ROOT, 'examples'));
  expect(new Set(modules.map((path) => path.split('/')[1]))).toEqual(new Set(folders));
});

it.each(modules)('%s can be started as it is listed', async (path) => {
  const { all } = await loadAgents(join(ROOT, path));
  expect(all.length).toBeGreaterThan(0);
});

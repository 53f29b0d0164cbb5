import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadAgents } from '../../functions/load-agents.ts';
import { ROOT } from './readme.ts';

const PAGE = 'examples/README.md';
const LINK = /\]\(([^)\s#]+)/g;

const filesIn = (cell: string): readonly string[] =>
  [...cell.matchAll(LINK)].map(([, to = '']) => posix.join('examples', to));

/** The rows of the page: what shows a capability, and what runs it. */
const rows = readFileSync(join(ROOT, PAGE), 'utf8')
  .split('\n')
  .filter((line) => /^\| .*\]\(/.test(line))
  .map((line) => line.split(' | '))
  .map(([capability = '', shown = '', run = '']) => ({
    capability: capability.replace('| ', ''),
    shown: filesIn(shown),
    tests: filesIn(run),
  }));

const inFolders = rows.filter(({ shown }) => shown.some((file) => file.startsWith('examples/')));
const folderOf = (file: string) => file.split('/').slice(0, 2).join('/');

describe('the page of examples', () => {
  it('has every example', () => {
    const folders = readdirSync(join(ROOT, 'examples'), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => `examples/${name}`);
    expect(new Set(inFolders.flatMap(({ shown }) => shown.map(folderOf)))).toEqual(
      new Set(folders),
    );
  });

  it.each(rows)('names for "$capability" what is there, and tests', ({ shown, tests }) => {
    expect(shown.concat(tests).filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
    expect(shown).not.toEqual([]);
    expect(tests).not.toEqual([]);
    expect(tests.filter((file) => !file.endsWith('.test.ts'))).toEqual([]);
  });

  it.each(inFolders)('names for "$capability" tests that run its example', ({ shown, tests }) => {
    const names = shown.map((file) => folderOf(file).replace('examples/', ''));
    const idle = tests.filter((file) => {
      const text = readFileSync(join(ROOT, file), 'utf8');
      return !names.some((name) => file.startsWith(`examples/${name}/`) || text.includes(name));
    });
    expect(idle).toEqual([]);
  });
});

const modules = [
  ...new Set(inFolders.flatMap(({ shown }) => shown.map((file) => folderOf(file)))),
].flatMap((folder) => ['index.ts', 'agent.ts'].map((name) => `${folder}/${name}`));

it.each(modules.filter((file) => existsSync(join(ROOT, file))))(
  '%s can be started as it is',
  async (path) => {
    // A module beside an index is what that is made of.
    const published = existsSync(join(ROOT, folderOf(path), 'index.ts'));
    if (published && path.endsWith('agent.ts')) return;
    const { all } = await loadAgents(join(ROOT, path));
    expect(all.length).toBeGreaterThan(0);
  },
);

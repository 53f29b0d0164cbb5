import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { initCommand } from './command.ts';

function setUp() {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-init-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const tarball = join(folder, 'holdfast-9.9.9.tgz');
  writeFileSync(tarball, 'packed');
  const said: string[] = [];
  const hear = (text: string | Uint8Array): boolean => said.push(String(text)) > 0;
  for (const stream of [process.stdout, process.stderr]) {
    const spy = vi.spyOn(stream, 'write').mockImplementation(hear);
    onTestFinished(() => spy.mockRestore());
  }
  const init = async (...args: readonly string[]) => ({
    code: await initCommand(args),
    said: said.join(''),
  });
  return { folder, tarball, init };
}

test('a project is written with its name, and keeps the package that it was made with', async () => {
  const { folder, init, tarball } = setUp();
  const project = join(folder, 'My-Agents');
  expect((await init(project, '--package', tarball)).code).toBe(0);
  const text = readFileSync(join(project, 'package.json'), 'utf8');
  expect(JSON.parse(text)).toMatchObject({
    name: 'my-agents',
    dependencies: { holdfast: 'file:vendor/holdfast-9.9.9.tgz' },
  });
  expect(text).not.toMatch(/\{[a-z]+\}/);
  expect(readFileSync(join(project, 'vendor/holdfast-9.9.9.tgz'), 'utf8')).toBe('packed');
  for (const file of ['.gitignore', 'tsconfig.json', 'agents/index.ts', 'terraform/main.tf'])
    expect(existsSync(join(project, file)), file).toBe(true);
  // Braces of code are no blanks.
  expect(readFileSync(join(project, 'agents/greeter.ts'), 'utf8')).toContain('`Hello, ${name}!`');
});

test('a folder with something in it is left as it is; a repository without a file is taken', async () => {
  const { folder, init, tarball } = setUp();
  expect(await init(folder, '--package', tarball)).toMatchObject({
    code: 2,
    said: expect.stringContaining('is not empty (it has holdfast-9.9.9.tgz); nothing was written'),
  });
  expect(existsSync(join(folder, 'package.json'))).toBe(false);
  const repository = join(folder, 'repository');
  mkdirSync(join(repository, '.git'), { recursive: true });
  expect((await init(repository, '--package', '1.2.3')).code).toBe(0);
  expect(readFileSync(join(repository, 'package.json'), 'utf8')).toContain('"holdfast": "1.2.3"');
});

test.each([
  [[], 'give one folder'],
  [['a', 'b'], 'give one folder'],
  [['a', '--name', 'Two Words'], `--name is "Two Words"`],
  [['a', '--package', './nothing.tgz'], 'there is no file ./nothing.tgz'],
  [['a', '--nothing'], 'holdfast init --help'],
] as const)('%j is refused in words, and writes nothing', async (args, words) => {
  const { folder, init } = setUp();
  const given = args.map((each) => (each === 'a' ? join(folder, 'a') : each));
  expect(await init(...given)).toMatchObject({ code: 2, said: expect.stringContaining(words) });
  expect(existsSync(join(folder, 'a'))).toBe(false);
});

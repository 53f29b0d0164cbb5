import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { consoleModule } from '../../project/build/console-assets.ts';
import { functionNames } from '../../project/build/functions.ts';
import type { PackageLock } from '../../project/build/package-lock.ts';
import { llmsText } from '../site/llms.ts';
import { contentsOf } from '../site/pages.ts';
import { projectFiles, readSource } from '../checks/sources.ts';
import { COMMAND, ENTRIES, FOLDER, isLeftOut, PROCESSES } from './contents.ts';
import { emit } from './emit.ts';
import { packageManifest, type ProjectManifest, toolchainFiles } from './manifest.ts';
import { reachable } from './reachable.ts';
import { shippedPage } from './shipped-links.ts';

const CONSOLE = 'functions/console/assets.js';

/** Entry points, the command and the functions: what the package's code starts from. */
export function rootsOf(project: string): readonly string[] {
  const functions = functionNames(project).map((name) => `functions/${name}/index`);
  return [...Object.values(ENTRIES), COMMAND, ...functions, ...PROCESSES];
}

/**
 * Puts the package together in dist/package, from sources alone: what nothing imports is not in it.
 * Answers the folder. `name` is what it is published as, also in its templates.
 */
export async function assemble(project: string, name: string): Promise<string> {
  const folder = join(project, FOLDER);
  rmSync(folder, { recursive: true, force: true });
  const roots = rootsOf(project);
  const sources = roots.map((root) => `${root}.ts`);
  const emitted = emit(project, sources, 'code');
  // Bundled here: neither its sources nor the bundler are in the package.
  writeFileSync(join(emitted, CONSOLE), await consoleModule(project));
  const code = reachable(
    emitted,
    roots.map((root) => `${root}.js`),
    isLeftOut,
  );
  const types = reachable(
    emitted,
    Object.values(ENTRIES).map((entry) => `${entry}.d.ts`),
  );
  const maps = code.files.filter((file) => file !== CONSOLE).map((file) => `${file}.map`);
  const files = [...code.files, ...maps, ...types.files];
  for (const file of files) copy(join(emitted, file), join(folder, 'lib', file));

  const manifest = readJson(project, 'package.json') as ProjectManifest;
  const imported = new Set([...code.packages, ...types.packages]);
  write(folder, 'package.json', packageManifest(manifest, name, imported));
  const lock = readJson(project, 'package-lock.json') as PackageLock;
  for (const [file, content] of toolchainFiles(manifest, lock))
    write(join(folder, 'toolchain'), file, content);

  for (const file of ['LICENSE', 'CHANGELOG.md']) copy(join(project, file), join(folder, file));
  // Pages for those who have the package alone; why it is as it is stays in the repository.
  for (const file of readdirSync(join(project, 'docs')))
    if (file.endsWith('.md')) copy(join(project, 'docs', file), join(folder, 'docs', file));
  const { groups } = contentsOf(project);
  const shipped = groups.map((group) => ({
    ...group,
    pages: group.pages.filter(({ file }) => /^docs\/[^/]+$|^CHANGELOG|^examples\//.test(file)),
  }));
  writeFileSync(join(folder, 'llms.txt'), llmsText(shipped));
  copyNamed(join(project, 'project/package'), folder, name);
  copyNamed(join(project, 'project/template'), join(folder, 'template'), name);
  cpSync(join(project, 'terraform/modules/holdfast'), join(folder, 'terraform/holdfast'), {
    recursive: true,
    filter: (file) => !/\.terraform|\.tfstate/.test(file),
  });
  copyNamed(
    join(project, 'examples'),
    join(folder, 'examples'),
    name,
    (text) => !isOfCheckout(text),
  );
  // Links as they are right in the package: the template is a project of its own.
  for (const file of projectFiles(folder, ['.md']).filter((each) => !each.startsWith('template/')))
    writeFileSync(join(folder, file), shippedPage(folder, file, readSource(folder, file)));
  return folder;
}

/** A test of an example that takes something of this checkout. */
const isOfCheckout = (text: string): boolean => /from '(?:\.\.\/){2}/.test(text);

/** Pages and templates, which name the package as it is published. */
function copyNamed(
  from: string,
  to: string,
  name: string,
  isWanted: (text: string) => boolean = () => true,
): void {
  for (const file of readdirSync(from, { recursive: true, withFileTypes: true })) {
    if (!file.isFile()) continue;
    const source = join(file.parentPath, file.name);
    const target = join(to, source.slice(from.length + 1));
    const text = readFileSync(source, 'utf8');
    if (!isWanted(text)) continue;
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(
      target,
      text
        .replaceAll(
          /\bholdfast\/(?=agent|models|executor|task-store|testing|package\.json)/g,
          `${name}/`,
        )
        .replaceAll('node_modules/holdfast/', `node_modules/${name}/`),
    );
  }
}

function copy(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  cpSync(from, to);
}

function write(folder: string, file: string, content: object): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, file), `${JSON.stringify(content, undefined, 2)}\n`);
}

function readJson(folder: string, file: string): unknown {
  return JSON.parse(readFileSync(join(folder, file), 'utf8'));
}

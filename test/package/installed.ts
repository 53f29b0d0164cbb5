import { mkdirSync, mkdtempSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { z } from 'zod';
import { type Ended, runProgram } from '../terraform/run-program.ts';

export const PROJECT = join(import.meta.dirname, '../..');

/** Not the name that the sources say: what follows it is seen. */
export const NAME = '@acme/holdfast';

/** Nothing of this checkout, nor of the tests, reaches the project that uses the package. */
const inherit = (name: string): boolean =>
  !/^(NODE_|VITEST|npm_|HOLDFAST_|FIRESTORE_|GOOGLE_|TF_)/.test(name);

export interface Place {
  readonly folder: string;
  /** The Node that runs it; that of the test otherwise. */
  readonly node?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs a program there, with its Node first on the PATH. Throws what it printed when it fails. */
export async function must(place: Place, command: string, ...args: string[]): Promise<Ended> {
  const ended = await runProgram(command, args, optionsOf(place));
  if (ended.code === 0) return ended;
  throw new Error(`${command} ${args.join(' ')} ended with ${ended.code}:\n${ended.output}`);
}

export function optionsOf({ env = {}, folder, node = process.execPath }: Place) {
  const path = [dirname(node), process.env['PATH'] ?? ''].join(delimiter);
  return { cwd: folder, env: { PATH: path, ...env }, inherit };
}

export const npm = (place: Place, ...args: string[]): Promise<Ended> => must(place, 'npm', ...args);

/** As `npx --no holdfast` finds it. */
export const commandIn = (folder: string): string =>
  join(folder, 'node_modules', NAME, 'bin/holdfast.js');

/** Packs the package and installs it, alone, into an empty folder. */
export async function installPackage(): Promise<string> {
  const root = mkdtempSync(join(tmpdir(), 'holdfast-package-'));
  const script = join(PROJECT, 'tools/build-package.ts');
  const here = { folder: PROJECT };
  await must(here, process.execPath, script, '--name', NAME, '--out', root);
  const tarball = readdirSync(root).find((name) => name.endsWith('.tgz')) ?? '';
  const folder = join(root, 'installed');
  mkdirSync(folder);
  await npm({ folder }, 'install', '--prefer-offline', '--no-audit', join(root, tarball));
  return folder;
}

/** What an installation takes on disk, as `du` counts the bytes of its files. */
export function sizeOf(folder: string): { readonly megabytes: number; readonly packages: number } {
  const bytes = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
  const lock = z.object({ packages: z.record(z.string(), z.unknown()) });
  const text = readFileSync(join(folder, '.package-lock.json'), 'utf8');
  const { packages } = lock.parse(JSON.parse(text));
  return { megabytes: bytes / 1e6, packages: Object.keys(packages).length };
}

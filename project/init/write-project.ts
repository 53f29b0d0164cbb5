import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import type { Place } from '../place.ts';
import type { Dependency } from './dependency.ts';

export interface NewProject {
  /** Is there, and empty. */
  readonly folder: string;
  readonly name: string;
  readonly dependency: Dependency;
}

const VENDOR = 'vendor';

const versionsSchema = z.object({
  peerDependencies: z.record(z.string(), z.string()).optional(),
  dependencies: z.record(z.string(), z.string()),
  devDependencies: z.record(z.string(), z.string()),
});

/** The template with its blanks filled in. A file whose name begins with _ stands for one that npm
 * or a tool would take for ours: `_gitignore` becomes `.gitignore`. */
export function writeProject(place: Place, { dependency, folder, name }: NewProject): void {
  const text = readFileSync(join(place.root, 'package.json'), 'utf8');
  const { dependencies, devDependencies, peerDependencies } = versionsSchema.parse(
    JSON.parse(text),
  );
  const version = (of: string): string =>
    peerDependencies?.[of] ?? dependencies[of] ?? devDependencies[of] ?? '*';
  const blanks: Readonly<Record<string, string>> = {
    name,
    package: dependency.package,
    spec: dependency.kind === 'version' ? dependency.spec : vendored(folder, dependency.file),
    typescript: version('typescript'),
    types: version('@types/node'),
    zod: version('zod').replace('^', ''),
  };
  const template = join(place.root, place.isCheckout ? 'project/template' : 'template');
  for (const file of readdirSync(template, { recursive: true, withFileTypes: true })) {
    if (!file.isFile()) continue;
    const from = join(file.parentPath, file.name);
    const to = join(folder, from.slice(template.length + 1)).replace(/_(gitignore)$/, '.$1');
    const target = to.replace(/_(package|tsconfig)\.json$/, '$1.json');
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, filled(readFileSync(from, 'utf8'), blanks));
  }
}

/** Only words in braces that are blanks: `${name}` and `{ name }` in code are none. */
const filled = (text: string, blanks: Readonly<Record<string, string>>): string =>
  text.replaceAll(/(?<!\$)\{([a-z]+)\}/g, (whole, name: string) => blanks[name] ?? whole);

function vendored(folder: string, file: string): string {
  mkdirSync(join(folder, VENDOR), { recursive: true });
  copyFileSync(file, join(folder, VENDOR, basename(file)));
  return `file:${VENDOR}/${basename(file)}`;
}

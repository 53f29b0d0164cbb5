import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { parseSync } from 'vite';

/** What a set of modules consists of. */
export interface Reachable {
  /** Paths below the folder, with slashes, in order. */
  readonly files: readonly string[];
  /** Packages that they import, by name. */
  readonly packages: ReadonlySet<string>;
}

/**
 * The modules that `roots` lead to by imports, exports and `import()` of a literal, in emitted
 * JavaScript or in declarations. `skipped`: relative paths that are left to who installs.
 */
export function reachable(
  folder: string,
  roots: readonly string[],
  skipped: (file: string) => boolean = () => false,
): Reachable {
  const files = new Set<string>();
  const packages = new Set<string>();
  const queue = [...roots];
  for (let file = queue.pop(); file !== undefined; file = queue.pop()) {
    if (files.has(file)) continue;
    files.add(file);
    for (const specifier of specifiersOf(file, readFileSync(join(folder, file), 'utf8'))) {
      const name = packageOf(specifier);
      if (name !== undefined) packages.add(name);
      if (!specifier.startsWith('.')) continue;
      const target = targetOf(file, specifier);
      if (!skipped(target)) queue.push(target);
    }
  }
  return { files: [...files].toSorted(), packages };
}

/** Of a declaration: that of the module that it names. */
function targetOf(file: string, specifier: string): string {
  const target = posix.join(posix.dirname(file), specifier);
  return file.endsWith('.d.ts') ? target.replace(/\.[jt]s$/, '.d.ts') : target;
}

function specifiersOf(file: string, text: string): readonly string[] {
  const { module } = parseSync(file, text);
  const exported = module.staticExports
    .flatMap(({ entries }) => entries)
    .flatMap(({ moduleRequest }) => (moduleRequest === null ? [] : [moduleRequest.value]));
  const imported = module.staticImports.map(({ moduleRequest }) => moduleRequest.value);
  const dynamic = module.dynamicImports.flatMap(({ moduleRequest }) => {
    const source = text.slice(moduleRequest.start, moduleRequest.end);
    const [, literal] = /^['"]([^'"]+)['"]$/.exec(source) ?? [];
    return literal === undefined ? [] : [literal];
  });
  // In a type: import("./a.ts").A
  const types = [...text.matchAll(/\bimport\(["']([^"']+)["']\)\./g)].map(([, name = '']) => name);
  return [...imported, ...exported, ...dynamic, ...types];
}

/** Undefined for a path and for a module of Node. */
function packageOf(specifier: string): string | undefined {
  if (/^(\.|node:)/.test(specifier)) return undefined;
  const [scope = '', name = ''] = specifier.split('/');
  return scope.startsWith('@') ? `${scope}/${name}` : scope;
}

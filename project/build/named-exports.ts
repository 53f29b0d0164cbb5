import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, extname, join, relative } from 'node:path';
import type { Plugin } from 'esbuild';

const NAMESPACE = 'named-exports';

/**
 * `(await import('a-commonjs-package')).Name` works in Node, which finds the names by reading the
 * source. esbuild gives a split chunk of CommonJS a default export only, and `Name` would be
 * undefined. So such an import leads through a module that states the names.
 */
export const namedExports: Plugin = {
  name: 'named-exports',
  setup(build) {
    const root = build.initialOptions.absWorkingDir ?? process.cwd();
    build.onResolve({ filter: /^[^.]/ }, async ({ kind, path, pluginData, ...from }) => {
      if (kind !== 'dynamic-import' || pluginData === NAMESPACE) return undefined;
      const options = { kind, resolveDir: from.resolveDir, importer: from.importer };
      const found = await build.resolve(path, { ...options, pluginData: NAMESPACE });
      if (found.external || found.errors.length > 0 || !isCommonJs(found.path)) return found;
      // The path is written into the bundle, and must not depend on where the project lies.
      const file = relative(root, found.path).replaceAll('\\', '/');
      return { path: file, namespace: NAMESPACE };
    });
    build.onLoad({ filter: /.*/, namespace: NAMESPACE }, ({ path }) => {
      const file = join(root, path);
      const contents = [
        // Not `import`: of what a compiler made of a module that would be its export called
        // default.
        `const library = require(${JSON.stringify(file)});`,
        'export default library;',
        `export const { ${exportedNames(file).join(', ')} } = library;`,
      ].join('\n');
      return { contents, loader: 'js', resolveDir: dirname(file) };
    });
  },
};

function exportedNames(file: string): readonly string[] {
  const library: unknown = createRequire(file)(file);
  if (library === null || (typeof library !== 'object' && typeof library !== 'function')) return [];
  return Object.keys(library)
    .filter((name) => /^[A-Za-z_$][\w$]*$/.test(name) && name !== 'default')
    .toSorted();
}

function isCommonJs(file: string): boolean {
  if (extname(file) !== '.js') return extname(file) === '.cjs';
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    const type = packageType(folder);
    if (type !== undefined) return type !== 'module';
    if (folder === dirname(folder)) return true;
  }
}

function packageType(folder: string): string | undefined {
  try {
    const text = readFileSync(join(folder, 'package.json'), 'utf8');
    const { type = 'commonjs' } = JSON.parse(text) as { type?: string };
    return type;
  } catch {
    return undefined;
  }
}

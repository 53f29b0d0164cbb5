import { readFileSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Plugin } from 'esbuild';

const NAMESPACE = 'named-exports';

/**
 * `(await import('a-commonjs-package')).Name` works in Node, which finds the names by reading the source. esbuild gives a split
 * chunk of CommonJS a default export only, and `Name` would be undefined. So such an import leads through a module that
 * states the names that Node itself finds.
 */
export const namedExports: Plugin = {
  name: 'named-exports',
  setup(build) {
    build.onResolve({ filter: /^[^.]/ }, async ({ kind, path, pluginData, ...from }) => {
      if (kind !== 'dynamic-import' || pluginData === NAMESPACE) return undefined;
      const options = { kind, resolveDir: from.resolveDir, importer: from.importer };
      const found = await build.resolve(path, { ...options, pluginData: NAMESPACE });
      if (found.external || found.errors.length > 0 || !isCommonJs(found.path)) return found;
      return { path: found.path, namespace: NAMESPACE };
    });
    build.onLoad({ filter: /.*/, namespace: NAMESPACE }, async ({ path }) => {
      const names = await exportedNames(path);
      const contents = [
        `import library from ${JSON.stringify(path)};`,
        'export default library;',
        `export const { ${names.join(', ')} } = library;`,
      ].join('\n');
      return { contents, loader: 'js', resolveDir: dirname(path) };
    });
  },
};

async function exportedNames(path: string): Promise<readonly string[]> {
  const library = (await import(pathToFileURL(path).href)) as object;
  return Object.keys(library)
    .filter((name) => /^[A-Za-z_$][\w$]*$/.test(name) && name !== 'default')
    .filter((name) => name !== 'module.exports' && name !== '__esModule')
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

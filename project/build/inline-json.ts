import { readFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import type { Plugin } from 'esbuild';

const CLIENTS = /[\\/]node_modules[\\/]@google-cloud[\\/][^\\/]+[\\/]build[\\/].*\.c?js$/;
/**
 * `getJSON(path.join(dirname, 'a', 'b.json'))`, as Google's generator writes it for modules and, by
 * Babel, for CommonJS.
 */
const READ =
  /(?:\(0, \w+\.getJSON\)|\bgetJSON)\(\w+(?:\["default"\]|\.default)?\.join\(dirname, ([^()]*)\)\)/g;
const ANY_READ = /getJSON\)?\((?!path\) \{)/;

/**
 * Google's generated clients read their JSON (the protocol's descriptors, retry settings, their
 * version) by a path beside their own file, which a bundle has no more. Each such read becomes an
 * import, so that equal ones are in the bundle once. A read of another form fails the build: it
 * would fail in the cloud otherwise, at the first call.
 */
export const inlineJson: Plugin = {
  name: 'inline-json',
  setup(build) {
    build.onLoad({ filter: CLIENTS }, async ({ path }) => {
      const source = await readFile(path, 'utf8');
      if (!source.includes('getJSON')) return undefined;
      return { loader: 'js', contents: withImports(source, path) };
    });
  },
};

export function withImports(source: string, file: string): string {
  const isModule = /^import /m.test(source);
  const imports: string[] = [];
  const contents = source.replace(READ, (_read, parts: string) => {
    const target = specifierOf(parts, file);
    if (!isModule) return `require(${target})`;
    imports.push(`import inlinedJson${imports.length} from ${target};`);
    return `inlinedJson${imports.length - 1}`;
  });
  if (ANY_READ.test(contents)) throw new Error(`${file} reads JSON in a form that is not known`);
  return [contents, ...imports, ''].join('\n');
}

function specifierOf(parts: string, file: string): string {
  const segments = parts.split(',').map((part) => part.trim().slice(1, -1));
  const folder = dirname(file);
  const path = relative(folder, join(folder, ...segments)).replaceAll('\\', '/');
  return JSON.stringify(path.startsWith('.') ? path : `./${path}`);
}

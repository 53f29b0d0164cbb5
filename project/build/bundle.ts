import { createRequire } from 'node:module';
import { join, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Metafile, Plugin } from 'esbuild';
import { consoleAssets } from './console-assets.ts';
import { entriesOf, type FunctionSources } from './functions.ts';
import { inlineJson } from './inline-json.ts';
import { namedExports } from './named-exports.ts';
import { noValidator } from './no-validator.ts';
import { oneLanguage } from './one-language.ts';

/**
 * What the platform installs instead of the bundle holding it. The framework keeps its functions in
 * a variable of its own module, so its command and our code must meet in one copy; it loads express
 * for itself, so a second copy would only cost.
 */
export const INSTALLED = ['@google-cloud/functions-framework', 'express'] as const;

export const MAIN = 'index.js';

/**
 * Google's clients are CommonJS in the bundle, and find in its files what Node gives to each
 * CommonJS file.
 */
const BANNER = [
  "import { createRequire as createRequireOfBundle } from 'node:module';",
  'const require = createRequireOfBundle(import.meta.url);',
  'const { filename: __filename, dirname: __dirname } = import.meta;',
].join('\n');

export interface BundleOptions {
  /** The bundle's bytes depend on the files below it alone, and not on where it lies. */
  readonly root: string;
  readonly name: string;
  /** Takes the place of agents. */
  readonly agents?: string;
  /** Where the functions' code is, and what it is written in; a checkout is its own root. */
  readonly functions?: FunctionSources;
  /** Has in node_modules what is bundled and what bundles, and their lock; the root otherwise. */
  readonly toolchain?: string;
}

export interface Bundle {
  /** Paths within the package; what is imported dynamically is in chunks/. */
  readonly files: ReadonlyMap<string, Uint8Array>;
  readonly maps: ReadonlyMap<string, Uint8Array>;
  readonly metafile: Metafile;
}

/**
 * One function with all that it needs but INSTALLED. The same sources give the same bytes, wherever
 * they lie.
 */
export async function bundle(options: BundleOptions): Promise<Bundle> {
  const { root, name, agents, toolchain = root } = options;
  const { build } = await bundlerOf(toolchain);
  const outdir = resolve(root, 'dist', name);
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints: entriesOf(name, options.functions ?? { folder: root, ending: '.ts' }),
    nodePaths: [join(toolchain, 'node_modules')],
    outdir,
    chunkNames: 'chunks/[name]-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    external: [...INSTALLED],
    banner: { js: BANNER },
    plugins: [
      ...(agents === undefined ? [] : [otherAgents(agents)]),
      consoleAssets,
      inlineJson,
      namedExports,
      noValidator,
      oneLanguage,
    ],
    sourcemap: 'external',
    sourcesContent: false,
    legalComments: 'none',
    metafile: true,
    write: false,
    logLevel: 'warning',
  });
  const all = outputFiles.map(({ path, contents }) => {
    return [relative(outdir, path).replaceAll('\\', '/'), contents] as const;
  });
  return {
    files: new Map(all.filter(([path]) => !path.endsWith('.map'))),
    maps: new Map(all.filter(([path]) => path.endsWith('.map'))),
    metafile,
  };
}

async function bundlerOf(toolchain: string): Promise<typeof import('esbuild')> {
  const file = createRequire(join(toolchain, 'package.json')).resolve('esbuild');
  return (await import(pathToFileURL(file).href)) as typeof import('esbuild');
}

function otherAgents(path: string): Plugin {
  return {
    name: 'other-agents',
    setup(build) {
      const filter = /^\.\.\/agents\/index\.[jt]s$/;
      build.onResolve({ filter }, () => ({ path: resolve(path) }));
    },
  };
}

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Metafile } from 'esbuild';
import type { ConsoleAssets } from '../../shared/operator/console.ts';

export interface ConsoleBundle {
  readonly assets: ConsoleAssets;
  readonly metafile: Metafile;
}

/**
 * Bundles the console of `console/`, in tens of milliseconds. The same sources give the same bytes,
 * wherever they lie.
 */
export async function bundleConsole(root: string): Promise<ConsoleBundle> {
  const { build } = await import('esbuild');
  const { metafile, outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: { console: 'console/main.tsx' },
    outdir: join(root, 'dist/console'),
    entryNames: '[name]-[hash]',
    bundle: true,
    format: 'esm',
    platform: 'browser',
    target: ['es2022'],
    jsx: 'automatic',
    jsxImportSource: 'preact',
    minify: true,
    legalComments: 'none',
    metafile: true,
    write: false,
    logLevel: 'warning',
  });
  const files = Object.fromEntries(
    outputFiles.map(({ path, text }) => [basename(path), text] as const),
  );
  const names = Object.keys(files);
  const named = (ending: string): string => names.find((name) => name.endsWith(ending)) ?? '';
  const page = readFileSync(join(root, 'console/page.html'), 'utf8')
    .replace('{script}', `/console/assets/${named('.js')}`)
    .replace('{style}', `/console/assets/${named('.css')}`);
  const digest = createHash('sha256')
    .update(JSON.stringify([page, files]))
    .digest('hex');
  return { assets: { build: digest.slice(0, 16), page, files }, metafile };
}

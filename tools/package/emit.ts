import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const CACHE = join('node_modules', '.cache', 'holdfast-package');

/** Declarations alone, or JavaScript beside them, with source maps that hold the sources. */
export type Emitted = 'declarations' | 'code';

/**
 * Compiles `roots` and all that they import, into the folders that the sources lie in. Answers the
 * folder. Throws with the compiler's words.
 */
export function emit(project: string, roots: readonly string[], emitted: Emitted): string {
  const cache = join(project, CACHE, emitted);
  const out = join(cache, 'out');
  // What is no longer imported must not stay; tsc takes no file away.
  rmSync(out, { recursive: true, force: true });
  mkdirSync(cache, { recursive: true });
  const config = join(cache, 'tsconfig.json');
  writeFileSync(config, JSON.stringify(configOf(project, out, roots, emitted), undefined, 2));
  const tsc = join(project, 'node_modules', 'typescript', 'lib', 'tsc.js');
  const { status, stdout } = spawnSync(process.execPath, [tsc, '-p', config], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`the package can't be compiled:\n${stdout}`);
  return out;
}

function configOf(
  project: string,
  outDir: string,
  roots: readonly string[],
  emitted: Emitted,
): object {
  return {
    extends: join(project, 'tsconfig.json'),
    compilerOptions: {
      noEmit: false,
      rootDir: project,
      outDir,
      typeRoots: [join(project, 'node_modules/@types')],
      declaration: true,
      // Who makes what of a kit is no promise.
      stripInternal: true,
      ...(emitted === 'declarations'
        ? { emitDeclarationOnly: true }
        : { sourceMap: true, inlineSources: true }),
      allowImportingTsExtensions: true,
      rewriteRelativeImportExtensions: true,
    },
    include: [],
    files: roots.map((root) => join(project, root)),
  };
}

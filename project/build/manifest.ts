import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Metafile } from 'esbuild';
import { INSTALLED, MAIN } from './bundle.ts';
import { lockFor, type PackageLock } from './package-lock.ts';

const FRAMEWORK = '@google-cloud/functions-framework';
/** Served by Cloud Run as it is. */
const SERVICE = 'grpc';

/** Of the folder whose packages are bundled and locked. */
interface ToolchainManifest {
  readonly version: string;
  readonly license: string;
  readonly dependencies: Readonly<Record<string, string>>;
}

/**
 * package.json and package-lock.json of a package, as the Node.js buildpack wants them: it starts
 * the framework from node_modules/.bin only if it is a dependency (else it adds a version of its
 * own choice), needs `main` to exist, runs `npm ci` if there is a lock, and any script called
 * build. So: exact versions, the project's lock cut down to them, no script. A service is no
 * function: it needs no framework, and is started by its own script.
 */
export function manifestFiles(
  toolchain: string,
  name: string,
  metafile: Metafile,
): ReadonlyMap<string, Uint8Array> {
  const locked = readJson(toolchain, 'package.json') as ToolchainManifest;
  const imported = Object.values(metafile.outputs)
    .flatMap((output) => output.imports)
    .filter(({ external }) => external === true)
    .map(({ path }) => path);
  const isService = name === SERVICE;
  const dependencies = Object.fromEntries(
    INSTALLED.filter((each) => (each === FRAMEWORK && !isService) || imported.includes(each)).map(
      (each) => [each, locked.dependencies[each] ?? ''],
    ),
  );
  const manifest = {
    name: `holdfast-${name}`,
    version: locked.version,
    private: true,
    license: locked.license,
    type: 'module',
    main: MAIN,
    ...(isService && { scripts: { start: `node ${MAIN}` } }),
    // Not ">=24": the buildpack would be free to take a newer one than the tests ran on.
    engines: { node: '24.x' },
    dependencies,
  };
  const lock = lockFor(manifest, readJson(toolchain, 'package-lock.json') as PackageLock);
  return new Map([
    ['package.json', toBytes(manifest)],
    ['package-lock.json', toBytes(lock)],
  ]);
}

function readJson(folder: string, file: string): unknown {
  return JSON.parse(readFileSync(join(folder, file), 'utf8'));
}

function toBytes(value: object): Uint8Array {
  return Buffer.from(`${JSON.stringify(value, undefined, 2)}\n`);
}

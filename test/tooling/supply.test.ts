import { execFile, execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

const versions = z.record(z.string(), z.string()).default({});
const manifest = z.object({
  dependencies: versions,
  devDependencies: versions,
  optionalDependencies: versions,
  allowScripts: z.record(z.string(), z.boolean()).default({}),
});
const lock = z.object({
  packages: z.record(
    z.string(),
    z.object({
      version: z.string().optional(),
      integrity: z.string().optional(),
      dev: z.boolean().default(false),
      hasInstallScript: z.boolean().default(false),
    }),
  ),
});
const bill = z.object({
  bomFormat: z.literal('CycloneDX'),
  components: z.array(
    z.object({
      name: z.string(),
      version: z.string(),
      hashes: z.array(z.object({ alg: z.literal('SHA-512'), content: z.string() })),
      licenses: z.array(z.unknown()).min(1),
    }),
  ),
});

/** Every place that packages are installed from. */
const PLACES = ['', 'tools/node/', 'bench/'];

async function read<T>(path: string, schema: z.ZodType<T>): Promise<T> {
  return schema.parse(JSON.parse(await readFile(`${ROOT}${path}`, 'utf8')));
}

function npmVersion(): number {
  return Number.parseInt(execFileSync('npm', ['--version'], { encoding: 'utf8' }), 10);
}

/** Without the entry of the folder itself. */
function installed<P>(packages: Readonly<Record<string, P>>): readonly [string, P][] {
  return Object.entries(packages).filter(([path]) => path !== '');
}

const nameOf = (path: string): string => path.split('node_modules/').at(-1) ?? '';

describe.each(PLACES)('the packages of ./%s', (place) => {
  it('are asked for by one version each', async () => {
    const given = await read(`${place}package.json`, manifest);
    const all = [given.dependencies, given.devDependencies, given.optionalDependencies];
    const loose = all
      .flatMap((each) => Object.entries(each))
      .filter(([, version]) => !/^(?:npm:@?[^@]+@)?\d+\.\d+\.\d+$/.test(version));
    expect(loose).toEqual([]);
  });

  it('are locked, each with the hash of its bytes', async () => {
    const { packages } = await read(`${place}package-lock.json`, lock);
    const others = installed(packages);
    const unlocked = others.filter(
      ([, { integrity }]) => integrity?.startsWith('sha512-') !== true,
    );
    expect(others.length).toBeGreaterThan(0);
    expect(unlocked).toEqual([]);
  });
});

it('no package runs a script of its own when it is installed', async () => {
  const { allowScripts } = await read('package.json', manifest);
  const { packages } = await read('package-lock.json', lock);
  const scripted = Object.entries(packages)
    .filter(([, { hasInstallScript }]) => hasInstallScript)
    .map(([path]) => nameOf(path));
  expect(scripted.filter((name) => allowScripts[name] !== false)).toEqual([]);
});

// Older ones have no such command.
it.skipIf(npmVersion() < 10)(
  'the bill of materials is made without a network, and names every package that is locked',
  async () => {
    const { stdout } = await promisify(execFile)('npm', ['run', '--silent', 'sbom'], {
      cwd: ROOT,
      maxBuffer: 2 ** 26,
    });
    const { components } = bill.parse(JSON.parse(stdout));
    const named = new Set(components.map(({ name, version }) => `${name}@${version}`));
    const { packages } = await read('package-lock.json', lock);
    const missing = installed(packages)
      .map(([path, { version }]) => `${nameOf(path)}@${version}`)
      .filter((each) => !named.has(each));
    expect(missing).toEqual([]);
  },
);

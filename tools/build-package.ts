// Makes the npm package. See --help.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { assemble } from './package/assemble.ts';
import type { ProjectManifest } from './package/manifest.ts';

const ROOT = dirname(import.meta.dirname);

const HELP = `Usage: npm run build:package -- [options]

Compiles the package into dist/package, and packs it as dist/<name>-<version>.tgz, which npm installs.

Options:
  --name <name>
      publishes it under this name, with its scope (default: config.package of package.json)
  --out <folder>
      for the tgz, instead of dist
  --help
      shows this text
`;

const { values } = parseArgs({
  options: { name: { type: 'string' }, out: { type: 'string' }, help: { type: 'boolean' } },
});

if (values.help === true) process.stdout.write(HELP);
else {
  const text = readFileSync(join(ROOT, 'package.json'), 'utf8');
  const { config } = JSON.parse(text) as ProjectManifest;
  const folder = await assemble(ROOT, values.name ?? config.package);
  const out = resolve(values.out ?? join(ROOT, 'dist'));
  const args = ['pack', folder, '--pack-destination', out, '--json', '--ignore-scripts'];
  const { status, stdout, stderr } = spawnSync('npm', args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`npm pack: ${stderr}`);
  const [packed] = JSON.parse(stdout) as readonly {
    readonly filename: string;
    readonly size: number;
    readonly unpackedSize: number;
    readonly entryCount: number;
  }[];
  if (packed === undefined) throw new Error('npm packed nothing');
  const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(1);
  process.stdout.write(
    `${relative(process.cwd(), join(out, packed.filename))} ${megabytes(packed.size)} MB, ` +
      `${packed.entryCount} files, ${megabytes(packed.unpackedSize)} MB unpacked\n`,
  );
}

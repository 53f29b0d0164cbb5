// Packs each function for Cloud Functions. See --help.
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { costly } from '../functions/exposure.ts';
import { loadAgents } from '../functions/load-agents.ts';
import { functionNames } from './build/functions.ts';
import { pack, type Package } from './build/pack.ts';

const ROOT = dirname(import.meta.dirname);

const HELP = `Usage: npm run build -- [options]

Bundles each function of functions/ and packs it for Cloud Functions:
  dist/<function>-<sha256 of the zip>.zip   the package: index.js, chunks/, package.json, package-lock.json
  dist/packages.json                        {"<function>": {"path": "<file name in dist>", "sha256": "..."}}, for Terraform; of a2a also
                                            the agents that spend money, or whose owners decide
  dist/maps/<function>/                     source maps, which stay here
The same sources give the same bytes: a package whose name did not change need not be deployed.

Options:
  --agents <module>
      publishes the agents of this module instead of those of agents/index.ts
  --only <function,...>
      packs only these, and writes a packages.json of these
  --out <folder>
      instead of dist
  --help
      shows this text
`;

interface Options {
  readonly names: readonly string[];
  readonly out: string;
  readonly agents: string | undefined;
}

class BadOptions extends Error {}

function optionsOf(args: readonly string[]): Options | undefined {
  const { agents, help, only, out } = parse(args);
  if (help) return undefined;
  const known = functionNames(ROOT);
  const names = only?.split(',') ?? known;
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length > 0) {
    throw new BadOptions(`--only ${unknown.join()}: the functions are ${known.join(', ')}`);
  }
  return { names, out: resolve(out ?? join(ROOT, 'dist')), agents };
}

function parse(args: readonly string[]) {
  try {
    const options = {
      agents: { type: 'string' },
      help: { type: 'boolean', default: false },
      only: { type: 'string' },
      out: { type: 'string' },
    } as const;
    return parseArgs({ args: [...args], options }).values;
  } catch (error) {
    throw new BadOptions(error instanceof Error ? error.message : String(error));
  }
}

async function build({ names, out, agents }: Options): Promise<void> {
  const packages = await Promise.all(
    names.map((name) => pack({ root: ROOT, name, ...(agents !== undefined && { agents }) })),
  );
  mkdirSync(out, { recursive: true });
  for (const name of readdirSync(out)) {
    if (/^[\w-]+-[0-9a-f]{64}\.zip$/.test(name)) rmSync(join(out, name));
  }
  for (const each of packages) write(out, each);
  // Terraform does not open these to anyone unless that is said twice.
  const costlyAgents = costly(await loadAgents(agents)).map(({ name }) => name);
  const index = packages.map(({ name, zipName, sha256 }) => [
    name,
    { path: zipName, sha256, ...(name === 'a2a' && { costly_agents: costlyAgents }) },
  ]);
  writeFileSync(
    join(out, 'packages.json'),
    `${JSON.stringify(Object.fromEntries(index), undefined, 2)}\n`,
  );
}

function write(out: string, { name, zip, zipName, maps }: Package): void {
  writeFileSync(join(out, zipName), zip);
  const folder = join(out, 'maps', name);
  rmSync(folder, { recursive: true, force: true });
  for (const [path, contents] of maps) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, contents);
  }
  const kilobytes = Math.round(zip.length / 1024).toLocaleString('en');
  process.stdout.write(`${zipName} ${kilobytes} KB\n`);
}

try {
  const options = optionsOf(process.argv.slice(2));
  if (options === undefined) process.stdout.write(HELP);
  else await build(options);
} catch (error) {
  if (!(error instanceof BadOptions)) throw error;
  process.stderr.write(`build: ${error.message} (see --help)\n`);
  process.exitCode = 2;
}

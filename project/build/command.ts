import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { costly } from '../../functions/exposure.ts';
import { loadAgents, projectAgents } from '../../functions/load-agents.ts';
import { runCommand } from '../../functions/run-command.ts';
import { BadConfiguration } from '../../functions/settings.ts';
import { placeOfHoldfast } from '../place.ts';
import { functionNames } from './functions.ts';
import { pack, type Package } from './pack.ts';
import { openToolchain } from './toolchain.ts';

export const HELP = `Usage: holdfast build [options]

Bundles each function with the agents and packs it for Cloud Functions, and
the gRPC service (grpc) for Cloud Run:
  dist/<function>-<sha256 of the zip>.zip
      the package: index.js, chunks/, package.json, package-lock.json
  dist/packages.json
      {"<function>": {"path": "<file name in dist>", "sha256": "..."}}, for
      Terraform; of a2a also the agents that spend money, or whose owners decide
  dist/maps/<function>/
      source maps, which stay here
The same sources give the same bytes: a package whose name did not change need
not be deployed.

Options:
  --agents <module>
      publishes the agents of this module instead of those of agents/index.ts
  --only <function,...>
      packs only these, and writes a packages.json of these
  --out <folder>
      instead of dist
  --help
      shows this text

Exit codes: 0 packed, 2 the agents, the options or the place are not right.

Examples:
  holdfast build
  holdfast build --agents agents/next.ts --only a2a,worker
`;

interface Options {
  readonly names: readonly string[];
  readonly out: string;
  readonly agents: string | undefined;
}

const place = placeOfHoldfast();
/** A checkout builds itself, from wherever it is told to. */
const root = place.isCheckout ? place.root : process.cwd();

function optionsOf(args: readonly string[]): Options | undefined {
  const { agents, help, only, out } = parse(args);
  if (help) return undefined;
  const known = functionNames(place.code, place.ending);
  const names = only?.split(',') ?? known;
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length > 0) {
    throw new BadConfiguration(`--only ${unknown.join()}: the functions are ${known.join(', ')}`);
  }
  return { names, out: resolve(out ?? join(root, 'dist')), agents: agents ?? projectAgents() };
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
    const reason = error instanceof Error ? error.message : String(error);
    throw new BadConfiguration(`${reason} (see holdfast build --help)`);
  }
}

async function build({ names, out, agents }: Options): Promise<void> {
  // Before any work: agents that don't load have a line of their own to mend.
  const costlyAgents = costly(await loadAgents(agents)).map(({ name }) => name);
  const common = {
    root,
    functions: { folder: place.code, ending: place.ending },
    toolchain: openToolchain(place, root),
    ...(agents !== undefined && { agents }),
  };
  const packages = await Promise.all(names.map((name) => pack({ ...common, name })));
  mkdirSync(out, { recursive: true });
  for (const name of readdirSync(out)) {
    if (/^[\w-]+-[0-9a-f]{64}\.zip$/.test(name)) rmSync(join(out, name));
  }
  for (const each of packages) write(out, each);
  // Terraform does not open these to anyone unless that is said twice.
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

/** Packs the functions, and answers with the exit code. */
export function buildCommand(args: readonly string[]): Promise<number> {
  return runCommand(async () => {
    const options = optionsOf(args);
    if (options === undefined) process.stdout.write(HELP);
    else await build(options);
    return 0;
  });
}

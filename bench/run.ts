// npm run bench [-- --quick] [-- --only tasks,growth,...]: measures Holdfast against the official SDK, prints the tables and writes
// bench/RESULTS.md (only for a whole run). About 15 minutes, --quick about 3.
import { spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { growth } from './growth.ts';
import { machineClass, machineLoad } from './machine.ts';
import { introduction, limits } from './words.ts';
import { markdownOf, progress, type Section } from './report.ts';
import { reading } from './reading.ts';
import { starting } from './starting.ts';
import { streams } from './streams.ts';
import { throughput } from './throughput.ts';

const MEASURES: Readonly<Record<string, (quick: boolean) => Promise<Section>>> = {
  tasks: throughput,
  growth,
  reading,
  streams,
  start: starting,
};

const { values } = parseArgs({
  options: { quick: { type: 'boolean', default: false }, only: { type: 'string' } },
});
const { quick } = values;
const chosen = values.only?.split(',') ?? Object.keys(MEASURES);

installPeer();
const parts: string[] = [];
for (const name of chosen) {
  const measure = MEASURES[name];
  if (measure === undefined) throw new Error(`no measure ${name}: ${Object.keys(MEASURES).join()}`);
  const before = machineLoad();
  progress(`${name} (load ${before})`);
  const section = await measure(quick);
  const text = `${markdownOf(section)}\n\nLoad of the machine before and after: ${before}, ${machineLoad()}.`;
  process.stdout.write(`\n${text}\n`);
  parts.push(text);
}
process.stdout.write(`\n${machineClass()}\n`);
if (values.only === undefined) {
  const results = join(import.meta.dirname, 'RESULTS.md');
  writeFileSync(results, `${[introduction(quick), ...parts, limits].join('\n\n')}\n`);
  progress(`written to ${results}`);
}

/** The peer's packages are none of the product's; Node's headers lie beside a Node that npm brought, should it need to build. */
function installPeer(): void {
  if (existsSync(join(import.meta.dirname, 'node_modules', 'better-sqlite3'))) return;
  progress("installing the peer's packages into bench/node_modules (once)...");
  const headers = dirname(dirname(process.execPath));
  const env = existsSync(join(headers, 'include', 'node'))
    ? { ...process.env, npm_config_nodedir: headers }
    : process.env;
  const windows = process.platform === 'win32';
  const args = ['ci', '--no-fund', '--no-audit', '--loglevel=error'];
  const npm = spawnSync('npm', args, {
    cwd: import.meta.dirname,
    env,
    stdio: 'inherit',
    shell: windows,
  });
  if (npm.status !== 0) throw new Error("npm could not install the peer's packages");
}

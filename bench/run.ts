import { spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { access } from './access.ts';
import { files } from './files/files.ts';
import { growth } from './growth.ts';
import { pushes } from './pushes/pushes.ts';
import { machineClass, machineLoad } from './machine.ts';
import { markdownOf, progress, type Section } from './report.ts';
import { reading } from './reading.ts';
import { renewed } from './results.ts';
import { starting } from './starting.ts';
import { steps } from './steps/steps.ts';
import { streams } from './streams.ts';
import { taskStore } from './task-store.ts';
import { throughput } from './throughput.ts';
import { waiting } from './waiting/waiting.ts';

const MEASURES: Readonly<Record<string, (quick: boolean) => Promise<Section>>> = {
  tasks: throughput,
  growth,
  reading,
  streams,
  start: starting,
  'task-store': taskStore,
  steps,
  waiting,
  pushes,
  files,
  access,
};
/** Those that compare with nothing. */
const ALONE = new Set(['waiting', 'pushes', 'files', 'access']);

const HELP = `Usage: npm run bench -- [options]

Measures Holdfast against the official SDK, and its steps against DBOS Transact (which needs PostgreSQL), prints the tables and writes
them into bench/RESULTS.md. About 18 minutes on an idle machine.

  --quick         fewer rounds: about 5 minutes
  --only <names>  some of ${Object.keys(MEASURES).join()}
  --help
`;

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string' },
    help: { type: 'boolean' },
  },
});
if (values.help === true) {
  process.stdout.write(HELP);
  process.exit();
}
const { quick } = values;
const chosen = values.only?.split(',') ?? Object.keys(MEASURES);

for (const name of chosen) {
  if (!(name in MEASURES)) throw new Error(`no measure ${name}: ${Object.keys(MEASURES).join()}`);
}
if (chosen.some((name) => !ALONE.has(name))) installPeer();
const results = join(import.meta.dirname, 'RESULTS.md');
for (const [name, measure] of Object.entries(MEASURES)) {
  if (!chosen.includes(name)) continue;
  const before = machineLoad();
  progress(`${name} (load ${before})`);
  const section = markdownOf(await measure(quick));
  const mode = quick ? ' Short mode: few rounds.' : '';
  const text = `${section}\n\nLoad of the machine before and after: ${before}, ${machineLoad()}.${mode}`;
  process.stdout.write(`\n${text}\n`);
  writeFileSync(results, renewed(results, Object.keys(MEASURES), new Map([[name, text]])));
}
process.stdout.write(`\n${machineClass()}; also in ${results}\n`);

/**
 * The peers' packages are none of the product's; Node's headers lie beside a Node that npm brought,
 * should it need to build.
 */
function installPeer(): void {
  const there = ['better-sqlite3', '@dbos-inc/dbos-sdk'].every((name) =>
    existsSync(join(import.meta.dirname, 'node_modules', name)),
  );
  if (there) return;
  progress("installing the peers' packages into bench/node_modules (once)...");
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
  if (npm.status !== 0) throw new Error("npm could not install the peers' packages");
}

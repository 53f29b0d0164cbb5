import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';

const HELP = `Usage: npm run verify -- [options]

Everything that CI asks, in the order of how soon it answers.

  --no-tests  leaves the tests out: about 15 seconds
  --help
`;

const { values } = parseArgs({
  options: { 'no-tests': { type: 'boolean', default: false }, help: { type: 'boolean' } },
});
if (values.help === true) {
  process.stdout.write(HELP);
  process.exit();
}

interface Step {
  readonly name: string;
  readonly command: readonly [string, ...string[]];
}

const node24 = ['tools/node24.mjs', '--bin'];

function tool(name: string, bin: string, ...args: string[]): Step {
  return { name, command: [process.execPath, ...node24, bin, ...args] };
}

function check(name: string, file: string): Step {
  return { name, command: [process.execPath, `tools/checks/${file}.ts`] };
}

const steps: Step[] = [
  tool('format (biome)', 'biome', 'format', '.'),
  check('layers', 'layers'),
  check('banned globals', 'banned-globals'),
  check('run writers', 'run-writers'),
  check('file size', 'file-size'),
  check('guarantees', 'guarantees'),
  check('references', 'references'),
  check('links', 'links'),
  check('npx', 'npx'),
  check('prose', 'prose'),
  { name: 'public API (api/)', command: [process.execPath, 'tools/api.ts', '--check'] },
  tool('lint and import cycles (oxlint)', 'oxlint'),
  tool('types (tsc)', 'tsc'),
  tool('types of the console (tsc)', 'tsc', '-p', 'console'),
  tool('unused code (knip)', 'knip', '--no-config-hints'),
];
if (!values['no-tests']) steps.push(tool('tests (vitest)', 'vitest', 'run'));

const failed: string[] = [];
for (const { name, command } of steps) {
  process.stdout.write(`\n== ${name}\n`);
  const [file, ...args] = command;
  const started = performance.now();
  const { status } = spawnSync(file, args, { stdio: 'inherit' });
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  process.stdout.write(`-- ${name}: ${status === 0 ? 'ok' : 'FAILED'} (${seconds} s)\n`);
  if (status !== 0) failed.push(name);
}

process.stdout.write(failed.length === 0 ? '\nverify: ok\n' : `\nverify: ${failed.join(', ')}\n`);
if (failed.length > 0) process.exitCode = 1;

// Runs the official conformance kits of A2A against this checkout. See --help.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { withServer } from '../with-server.ts';
import { type Figures, figuresOf, type KitRun, RUNS, shortfall } from './figures.ts';

const HELP = `Usage: npm run kits -- <folder> [options]

Runs both official conformance kits against this checkout, each against a server of its own, and compares what passes with what is
expected (tools/kits/figures.ts). About six minutes. Nothing of the kits is in this repository; make the folder once:

  git clone -b 1.0-dev https://github.com/a2aproject/a2a-tck <folder>/1.0-dev
  git clone -b 0.3.x https://github.com/a2aproject/a2a-tck <folder>/0.3.x
  python3 -m venv <folder>/venv
  <folder>/venv/bin/pip install -e <folder>/1.0-dev -r <folder>/0.3.x/requirements.txt python-dotenv pyOpenSSL

Options:
  --only <text>   runs only those whose name has it, such as "1.0" or "v0.3 mandatory"
  --help          shows this text
`;

const AGENT = 'test/fixtures/agents/conformance.ts';

async function main(folder: string, only: string): Promise<void> {
  const python = join(folder, 'venv/bin/python');
  if (!existsSync(python)) throw new Error(`there is no ${python}; --help says how to make it`);
  const missed: string[] = [];
  for (const run of RUNS.filter(({ name }) => name.includes(only))) {
    const { figures, output } = await runKit(run, join(folder, run.kit), python);
    const missing = shortfall(run, figures);
    const { failed = 0, passed = 0, skipped = 0 } = figures ?? {};
    const verdict = missing === undefined ? 'as expected' : `NOT as expected: ${missing}`;
    process.stdout.write(
      `${run.name}: ${passed} passed, ${failed} failed, ${skipped} skipped; ${verdict}\n`,
    );
    if (missing !== undefined) missed.push(output);
  }
  for (const output of missed)
    process.stderr.write(`\n${output.split('\n').slice(-40).join('\n')}\n`);
  if (missed.length > 0) process.exitCode = 1;
}

function runKit(
  { args, kit }: KitRun,
  cwd: string,
  python: string,
): Promise<{ readonly figures: Figures | undefined; readonly output: string }> {
  return withServer(AGENT, kit === '0.3.x' ? ['--v0.3'] : ['--grpc-port', '0'], async (url) => {
    const target = kit === '0.3.x' ? '--sut-url' : '--sut-host';
    const child = spawn(python, ['run_tck.py', target, url, ...args], {
      cwd,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const [out, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
    const output = `${errors}\n${out}`;
    return { figures: figuresOf(output), output };
  });
}

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { only: { type: 'string', default: '' }, help: { type: 'boolean' } },
});
const [folder] = positionals;
if (values.help === true || folder === undefined) process.stdout.write(HELP);
else await main(resolve(folder), values.only);

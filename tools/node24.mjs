// Runs a script or an installed tool under Node 24, whatever Node started this file (18 or newer).
//   node tools/node24.mjs script.ts args...
//   node tools/node24.mjs --bin vitest run args...      (node_modules/.bin/vitest)
// Plain JavaScript, because the Node that starts it may not read TypeScript.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const WANTED = 24;
const root = dirname(dirname(fileURLToPath(import.meta.url)));
const toolchain = join(root, 'tools', 'node');
const windows = process.platform === 'win32';

function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}

function unavailable(reason) {
  fail(
    `Holdfast needs Node ${WANTED} or newer; this is ${process.version} and ${reason}.\n` +
      `Install Node ${WANTED} from https://nodejs.org/en/download and run the command again.`,
  );
}

function fetchNode() {
  process.stderr.write(
    `This is Node ${process.version}; installing Node ${WANTED} into tools/node (once, about 10 seconds, 190 MB on disk)...\n`,
  );
  const args = ['ci', '--prefix', toolchain, '--include=optional'];
  const quiet = ['--no-fund', '--no-audit', '--loglevel=error'];
  // stdout belongs to the command that is about to run, so npm writes to stderr.
  const npm = spawnSync('npm', [...args, ...quiet], { stdio: ['ignore', 2, 2], shell: windows });
  if (npm.status !== 0) unavailable('npm could not install it');
}

function findNode() {
  if (Number.parseInt(process.versions.node, 10) >= WANTED) return process.execPath;
  const name = `node-${windows ? 'win' : process.platform}-${process.arch}`;
  const binary = join(toolchain, 'node_modules', name, 'bin', windows ? 'node.exe' : 'node');
  if (!existsSync(binary)) fetchNode();
  // The builds are optional dependencies: npm is content when it could install none of them.
  if (!existsSync(binary)) unavailable(`npm could not get ${name} (no such build, or no network)`);
  return binary;
}

function run(node, [first, ...rest]) {
  // Children that look for `node` (a shebang, npm) must find the same one.
  process.env.PATH = [dirname(node), process.env.PATH ?? ''].join(delimiter);
  // Types are stripped and modules compiled once, and not at each start.
  process.env.NODE_COMPILE_CACHE ??= join(root, 'node_modules', '.cache', 'holdfast');
  const options = { stdio: 'inherit' };
  if (first !== '--bin') return spawn(node, [first, ...rest], options);
  const [tool, ...args] = rest;
  if (tool === undefined) fail('usage: node tools/node24.mjs --bin <tool> [args...]');
  const file = join(root, 'node_modules', '.bin', windows ? `${tool}.cmd` : tool);
  if (!existsSync(file)) fail(`${tool} is not installed here: run \`npm ci\` first.`);
  return spawn(file, args, { ...options, shell: windows });
}

function passSignals(child) {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => {
      // A terminal sends Ctrl-C to the whole group: passing it on would look like a second Ctrl-C.
      if (signal === 'SIGINT' && process.stdin.isTTY) return;
      child.kill(signal);
    });
  }
}

// A SIGTERM to `npm start` ends npm's shell, which passes nothing on: this process is then
// orphaned.
function stopWithNpm(child) {
  if (process.env.npm_lifecycle_event === undefined) return;
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    child.kill('SIGTERM');
  }, 250);
}

const args = process.argv.slice(2);
if (args.length === 0) fail('usage: node tools/node24.mjs <script> | --bin <tool> [args...]');
const child = run(findNode(), args);
passSignals(child);
stopWithNpm(child);
child.on('error', (error) => fail(`Could not start: ${error.message}`));
child.on('exit', (code, signal) =>
  process.exit(code ?? 128 + constants.signals[signal ?? 'SIGTERM']),
);

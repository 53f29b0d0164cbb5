import { createHash } from 'node:crypto';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const REQUIREMENTS = [
  'examples/sales-forecast/forecaster/requirements.txt',
  'test/interop/requirements.txt',
];
const CONSTRAINTS = 'test/interop/constraints.txt';
const PIP = '-m pip install --quiet --disable-pip-version-check --no-compile --only-binary :all:';

/**
 * A Python with the official SDK of A2A, installed once below node_modules/.cache. Undefined, and
 * said on stderr, where this machine has no python3 with venv and pip, or PyPI can't be reached.
 */
export async function findPython(): Promise<string | undefined> {
  const version = await run('python3', ['--version']);
  const pinned = await Promise.all(
    [...REQUIREMENTS, CONSTRAINTS].map((file) => readFile(join(ROOT, file), 'utf8')),
  );
  const hash = createHash('sha256')
    .update([version.words, ...pinned].join('\0'))
    .digest('hex');
  const folder = join(ROOT, 'node_modules/.cache', `holdfast-python-${hash.slice(0, 16)}`);
  const python = join(folder, 'bin/python');
  if (existsSync(python)) return python;
  const problem = version.ok ? await install(folder) : version.words;
  if (problem === undefined) return python;
  process.stderr.write(`\nSKIPPED: what needs Python (test/interop). ${problem}\n\n`);
  return undefined;
}

/** Made beside its place, and moved there when it is whole; otherwise, why it could not be made. */
async function install(folder: string): Promise<string | undefined> {
  const draft = `${folder}.${process.pid}`;
  await mkdir(draft, { recursive: true });
  const files = REQUIREMENTS.flatMap((file) => ['-r', file]);
  const steps = [
    ['python3', '-m', 'venv', draft],
    [join(draft, 'bin/python'), ...PIP.split(' '), ...files, '-c', CONSTRAINTS],
  ] as const;
  for (const [command, ...args] of steps) {
    const { ok, words } = await run(command, args);
    if (ok) continue;
    await rm(draft, { recursive: true, force: true });
    return words;
  }
  await rename(draft, folder);
  return undefined;
}

function run(command: string, args: readonly string[]) {
  return new Promise<{ readonly ok: boolean; readonly words: string }>((resolve) => {
    execFile(command, args, { cwd: ROOT, timeout: 240_000 }, (error, stdout, stderr) => {
      const said = `${stdout}${stderr}`.trim().split('\n').slice(-3).join(' ');
      resolve({ ok: error === null, words: said === '' ? (error?.message ?? '') : said });
    });
  });
}

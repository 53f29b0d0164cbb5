import { createHash } from 'node:crypto';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
/** Where programs of others are installed. */
export const CACHE = join(ROOT, 'node_modules/.cache/holdfast-interop');
const PIP = '-m pip install --quiet --disable-pip-version-check --no-compile --only-binary :all:';

/** What is there to be run, or why it is not. */
export type Found =
  | { readonly kind: 'found'; readonly command: string }
  | { readonly kind: 'missing'; readonly why: string };

/** The official SDK for Python, and what the forecaster of the sample needs. */
export function pythonWithSdk(): Promise<Found> {
  const sample = 'examples/sales-forecast/forecaster/requirements.txt';
  return pythonWith([sample, python('requirements.txt')], python('constraints.txt'));
}

export const python = (file: string): string => `tools/interop/python/${file}`;

/**
 * A Python with what those files name, installed once in a folder that is named for what they say.
 * Missing where this machine has no python3 with venv and pip, or PyPI can't be reached.
 */
export async function pythonWith(
  requirements: readonly string[],
  constraints?: string,
): Promise<Found> {
  const version = await run('python3', ['--version']);
  if (version.kind === 'failed') return { kind: 'missing', why: version.words };
  const files = [...requirements, ...(constraints === undefined ? [] : [constraints])];
  const pinned = await Promise.all(files.map((file) => readFile(join(ROOT, file), 'utf8')));
  const hash = createHash('sha256')
    .update([version.words, ...pinned].join('\0'))
    .digest('hex');
  const folder = join(CACHE, `python-${hash.slice(0, 16)}`);
  const command = join(folder, 'bin/python');
  if (existsSync(command)) return { kind: 'found', command };
  // Made beside its place, and moved there when it is whole.
  const draft = `${folder}.${process.pid}`;
  await mkdir(draft, { recursive: true });
  const named = requirements.flatMap((file) => ['-r', file]);
  const bounds = constraints === undefined ? [] : ['-c', constraints];
  for (const [program, ...args] of [
    ['python3', '-m', 'venv', draft],
    [join(draft, 'bin/python'), ...PIP.split(' '), ...named, ...bounds],
  ] as const) {
    const { kind, words } = await run(program, args);
    if (kind === 'done') continue;
    await rm(draft, { recursive: true, force: true });
    return { kind: 'missing', why: words };
  }
  await rename(draft, folder);
  return { kind: 'found', command };
}

/** The last lines that a program wrote; never throws. */
export function run(command: string, args: readonly string[], folder = ROOT) {
  return new Promise<{ readonly kind: 'done' | 'failed'; readonly words: string }>((resolve) => {
    execFile(command, args, { cwd: folder, timeout: 300_000 }, (error, stdout, stderr) => {
      const said = `${stdout}${stderr}`.trim().split('\n').slice(-3).join(' ');
      const words = said === '' ? (error?.message ?? '') : said;
      resolve({ kind: error === null ? 'done' : 'failed', words });
    });
  });
}

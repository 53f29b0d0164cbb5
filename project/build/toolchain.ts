import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BadConfiguration } from '../../functions/settings.ts';
import type { Place } from '../place.ts';

/** Below a project; not for its repository. */
const FOLDER = join('.holdfast', 'toolchain');
const LOCK = 'package-lock.json';
const INSTALLED = 'installed.json';

/**
 * A folder with what the functions are bundled from and by: Google's clients, the functions
 * framework, the bundler, at the versions that this release was tested with. A project that never
 * deploys never has them. Installed by npm at the first build, and when a new release has another
 * lock. Throws BadConfiguration.
 */
export function openToolchain(place: Place, project: string): string {
  if (place.isCheckout) return place.root;
  const wanted = join(place.root, 'toolchain');
  const folder = join(project, FOLDER);
  const lock = readFileSync(join(wanted, LOCK), 'utf8');
  if (textOf(join(folder, INSTALLED)) === lock) return folder;
  process.stderr.write(`Installing what deployments are built with into ${FOLDER} (once)...\n`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  cpSync(wanted, folder, { recursive: true });
  const args = ['ci', '--prefix', folder, '--ignore-scripts', '--prefer-offline'];
  const quiet = ['--no-fund', '--no-audit', '--loglevel=error'];
  const { status } = spawnSync('npm', [...args, ...quiet], {
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  });
  if (status !== 0)
    throw new BadConfiguration(
      `npm could not install into ${folder}; its words are above. Run the command again where the registry can be reached`,
    );
  // Last: an installation that was cut off is done again.
  writeFileSync(join(folder, INSTALLED), lock);
  return folder;
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

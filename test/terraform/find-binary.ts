import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { buildBinary, VERSION } from './build-binary.ts';

const CACHE = join(import.meta.dirname, '../../.cache/terraform', VERSION, 'terraform');

/** With this and newer, a mock can answer during plan (terraform/tests). */
const OLDEST = [1, 11];

/** Terraform on the PATH, the one that was built here before, or a new build. Undefined when none of that works. */
export function findBinary(say: (line: string) => void): string | undefined {
  if (serves('terraform')) return 'terraform';
  if (existsSync(CACHE) && serves(CACHE)) return CACHE;
  if (spawnSync('go', ['version']).status !== 0) return undefined;
  say(`terraform: building version ${VERSION} into .cache/terraform, once; this takes minutes`);
  try {
    buildBinary(CACHE);
    return serves(CACHE) ? CACHE : undefined;
  } catch (error) {
    const [reason = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
    say(`terraform: could not be built (${reason})`);
    return undefined;
  }
}

function serves(command: string): boolean {
  try {
    const answer = execFileSync(command, ['version', '-json'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      env: { ...process.env, CHECKPOINT_DISABLE: '1' },
    });
    const [, major = '0', minor = '0'] = /"terraform_version": "(\d+)\.(\d+)/.exec(answer) ?? [];
    const [oldestMajor = 0, oldestMinor = 0] = OLDEST;
    return Number(major) === oldestMajor && Number(minor) >= oldestMinor;
  } catch {
    return false;
  }
}

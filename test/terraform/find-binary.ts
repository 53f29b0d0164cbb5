import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { buildBinary, VERSION } from './build-binary.ts';
import { runProgram } from './run-program.ts';

const CACHE = join(import.meta.dirname, '../../.cache/terraform', VERSION, 'terraform');

/** From this version on, a variable's validation can look at another variable. */
const OLDEST_MINOR = 9;

/**
 * Terraform on the PATH, the one that was built here before, or a new build. Undefined when none of
 * that works.
 */
export async function findBinary(say: (line: string) => void): Promise<string | undefined> {
  if (await serves('terraform')) return 'terraform';
  if (existsSync(CACHE) && (await serves(CACHE))) return CACHE;
  if ((await runProgram('go', ['version'])).code !== 0) return undefined;
  say(`terraform: building version ${VERSION} into .cache/terraform, once; this takes minutes`);
  try {
    await buildBinary(CACHE);
    return (await serves(CACHE)) ? CACHE : undefined;
  } catch (error) {
    say(`terraform: could not be built: ${error instanceof Error ? error.message : String(error)}`);
    return undefined;
  }
}

async function serves(command: string): Promise<boolean> {
  const { code, stdout } = await runProgram(command, ['version', '-json'], {
    env: { CHECKPOINT_DISABLE: '1' },
  });
  const [, major = '0', minor = '0'] = /"terraform_version": "(\d+)\.(\d+)/.exec(stdout) ?? [];
  return code === 0 && major === '1' && Number(minor) >= OLDEST_MINOR;
}

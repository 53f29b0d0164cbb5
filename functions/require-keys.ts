import { join } from 'node:path';
import { keysProblem } from '../shared/app/privacy/check-keys.ts';
import { Unavailable } from '../shared/ports/faults.ts';
import type { Ports } from '../shared/ports/index.ts';
import { BadConfiguration } from './settings.ts';
import type { StartOptions } from './start/arguments.ts';

/**
 * A service that is away for a moment, or slow for a process that has just begun, fails no start.
 */
const TRIES = 10;
const PAUSE = 1_000;

/**
 * Refuses to work on rows whose keys are not at hand. Throws BadConfiguration that says which keys
 * they need, and Unavailable.
 */
export async function requireKeys(
  ports: Pick<Ports, 'store' | 'sealer' | 'clock'>,
  { data, store }: Pick<StartOptions, 'data' | 'store'>,
): Promise<void> {
  const problem = await problemOf(ports);
  if (problem === undefined) return;
  throw new BadConfiguration(
    `${store === 'google' ? 'HOLDFAST_KMS' : join(data, 'key')}: ${problem}`,
  );
}

async function problemOf(
  ports: Pick<Ports, 'store' | 'sealer' | 'clock'>,
  tries = TRIES,
): Promise<string | undefined> {
  try {
    return await keysProblem(ports);
  } catch (error) {
    if (!(error instanceof Unavailable) || tries <= 1) throw error;
    await ports.clock.sleep(PAUSE);
    return problemOf(ports, tries - 1);
  }
}

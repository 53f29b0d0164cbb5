import { join } from 'node:path';
import { keysProblem } from '../shared/app/privacy/check-keys.ts';
import type { Ports } from '../shared/ports/index.ts';
import { toTheEnd } from '../shared/system/to-the-end.ts';
import { BadConfiguration } from './settings.ts';
import type { StartOptions } from './start/arguments.ts';

/**
 * Refuses to work on rows whose keys are not at hand. Throws BadConfiguration that says which keys
 * they need, and Unavailable.
 */
export async function requireKeys(
  ports: Pick<Ports, 'store' | 'sealer'>,
  { data, store }: Pick<StartOptions, 'data' | 'store'>,
): Promise<void> {
  // Nothing else may keep the process alive yet while a transaction waits for another one.
  const problem = await toTheEnd(() => keysProblem(ports));
  if (problem === undefined) return;
  throw new BadConfiguration(
    `${store === 'google' ? 'HOLDFAST_KMS' : join(data, 'key')}: ${problem}`,
  );
}

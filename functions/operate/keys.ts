import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { App } from '../../shared/app/app.ts';
import { noteKeys } from '../../shared/app/privacy/check-keys.ts';
import { type DestroyCounts, purgeWithoutKey } from '../../shared/app/privacy/purge-without-key.ts';
import { type RewrapOptions, rewrapKeys } from '../../shared/app/privacy/rewrap-keys.ts';
import { makeKeys, retireOlderKeys, rotateKeyFile } from '../../shared/embedded/key-bytes.ts';
import { recordAct } from '../../shared/app/content/audit-record.ts';
import { BadConfiguration } from '../settings.ts';
import { personAtTerminal } from './person.ts';
import type { StartOptions } from '../start/arguments.ts';

/**
 * A data key that a server had just made when the file was rotated is committed long before that.
 */
const SETTLED = 60_000;

export type Renewal = 'rewrap' | 'rotate-key' | 'retire-keys';

/** The result, in JSON; `ended` when nothing is left to be done. Throws BadConfiguration. */
export async function renewKeys(
  app: App,
  command: Renewal,
  { data, store }: Pick<StartOptions, 'data' | 'store'>,
  options: RewrapOptions,
): Promise<{ readonly said: string; readonly ended: boolean }> {
  const file = join(data, 'key');
  if (command !== 'rewrap' && store === 'google')
    throw new BadConfiguration(`${command} is for key files; Cloud KMS rotates its own keys`);
  if (command === 'retire-keys' && app.clock.now() - statSync(file).mtimeMs < SETTLED)
    throw new BadConfiguration('the key file is new; retire its older keys in a minute');
  if (command === 'rotate-key') {
    rotateKeyFile(file);
    await noteKeys(app, await app.sealer.keyNames(), 'more');
  }
  const counts = await rewrapKeys(app, options);
  const left = counts.old + counts.unreadable;
  const note = (outcome: string) =>
    recordAct(app, { act: command, operator: personAtTerminal(), outcome });
  if (command !== 'retire-keys') {
    await note(`rewrapped ${counts.rewrapped}, left ${left}`);
    return { said: JSON.stringify(counts), ended: left === 0 };
  }
  // While the walk rewraps, what lies behind it may still be wrapped by an older key: one walk must
  // find nothing to do.
  const retired = left + counts.rewrapped === 0;
  if (retired) {
    retireOlderKeys(file);
    await noteKeys(app, await app.sealer.keyNames(), 'only');
  }
  await note(retired ? 'retired' : `not retired: rewrapped ${counts.rewrapped}, left ${left}`);
  return { said: JSON.stringify({ ...counts, retired }), ended: retired };
}

/**
 * Removes what can't be opened, and leaves an installation that can start: with a new key where
 * there is none.
 */
export async function purgeLost(
  app: App,
  { data, store }: Pick<StartOptions, 'data' | 'store'>,
  dryRun: boolean,
  progress: (counts: DestroyCounts) => void,
): Promise<string> {
  if (!dryRun && store !== 'google') makeKeys(join(data, 'key'));
  return JSON.stringify(await purgeWithoutKey(app, dryRun, progress, personAtTerminal()));
}

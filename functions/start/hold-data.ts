import { type HeldFolder, holdFolder } from '../../shared/embedded/hold-folder.ts';
import { BadConfiguration } from '../settings.ts';
import type { StartOptions } from './arguments.ts';

/** Takes the data folder for this server. Throws BadConfiguration while another one has it. */
export function holdData({
  data,
  shareData,
}: Pick<StartOptions, 'data' | 'shareData'>): HeldFolder {
  const held = holdFolder(data, { share: shareData });
  if (held.kind === 'held') return held;
  const who = held.pid === undefined ? 'another server' : `the server with process id ${held.pid}`;
  throw new BadConfiguration(
    `the data folder ${data} is used by ${who}; stop that one, or choose another folder with --data (several servers share one if each is started with --share-data)`,
  );
}

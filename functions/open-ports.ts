import { openEmbedded } from '../shared/embedded/index.ts';
import type { StartOptions } from './start/arguments.ts';
export async function openPorts(options: StartOptions) {
  return openEmbedded({ folder: options.data, settings: options.settings });
}

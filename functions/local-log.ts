import type { Log } from '../shared/ports/log.ts';
import { jsonLog } from '../shared/system/json-log.ts';
import { prettyLog } from '../shared/system/pretty-log.ts';
import { systemClock } from '../shared/system/system-clock.ts';
import type { StartOptions } from './start/arguments.ts';

/**
 * The log of one machine, on stderr. It stays with the author of its agents, so that it has the
 * words of what they threw.
 */
export function localLog({ log: level, logFormat }: StartOptions): Log {
  const { stderr } = process;
  const format = logFormat ?? (stderr.isTTY ? 'pretty' : 'json');
  const common = { stream: stderr, clock: systemClock, level };
  if (format === 'json') return jsonLog({ ...common, words: true });
  return prettyLog({ ...common, colour: stderr.isTTY && process.env['NO_COLOR'] === undefined });
}

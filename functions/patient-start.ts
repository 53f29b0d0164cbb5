import { isPassing } from '../shared/ports/faults.ts';
import type { Millis } from '../shared/domain/brand.ts';
import { systemClock } from '../shared/system/system-clock.ts';
import { toTheEnd } from '../shared/system/to-the-end.ts';

const TRIES = 6;
const PAUSE: Millis = 1_000;

/**
 * What an edge is made of, before it takes its first request. A store that is slow or away for a
 * moment ends no start: the next one would only begin at the same place, and callers wait for it.
 */
export function patiently<T>(compose: () => Promise<T>, clock = systemClock): Promise<T> {
  return toTheEnd(async () => {
    for (let left = TRIES - 1; ; left -= 1) {
      try {
        return await compose();
      } catch (error) {
        if (left === 0 || !isPassing(error)) throw error;
      }
      await clock.sleep(PAUSE);
    }
  });
}

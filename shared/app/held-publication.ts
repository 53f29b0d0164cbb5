import { isFault } from '../ports/faults.ts';
import type { App } from './app.ts';
import type { Packed } from './content.ts';
import { type Publication, preparePublication } from './delta.ts';
import type { Hold } from './hold-run.ts';

const TRIES = 5;

/**
 * What a held run makes public. Large content goes to objects before the transaction; when that meets a passing fault it is
 * repeated, because giving the claim up would cost a lease and a whole segment.
 */
export async function heldPublication(
  app: App,
  hold: Hold,
  publication: Publication,
): Promise<Packed> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await preparePublication(app, hold.claimed.place, publication);
    } catch (error) {
      if (!isFault(error) || error.advice !== 'retry' || tries === TRIES || hold.signal.aborted)
        throw error;
      await app.clock.sleep(200 * tries, hold.signal);
    }
  }
}

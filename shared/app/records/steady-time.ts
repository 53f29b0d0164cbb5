import { z } from 'zod';
import type { Millis } from '../../domain/brand.ts';
import type { Ports } from '../../ports/index.ts';
import type { Doc } from '../../ports/store.ts';
import type { App } from '../app.ts';
import { codec } from './documents.ts';
import { readableRunCodec } from './run-document.ts';

const MINUTE = 60_000;
/** A clock that went further than this since it was last noted leapt, or the system was off. */
const LEAP: Millis = 24 * 60 * MINUTE;
/** And one that a running process sees go that much further than time has passed leapt, too. */
const SMALL_LEAP: Millis = MINUTE;
/** So long a clock must go on steadily after that. */
const STEADY: Millis = 10 * MINUTE;

const timeSchema = z.object({ v: z.literal(1), seenAt: z.number(), steadySince: z.number() });
type TimeDoc = z.infer<typeof timeSchema>;
const timeDoc: Doc<TimeDoc> = { path: 'installation/time', codec: codec<TimeDoc>(timeSchema) };

/**
 * For one machine, whose clock a person or a flat battery may set wrong for a moment: what the
 * store noted of the time is the second witness, and while the process runs `elapsed`, which none
 * can set. After a leap, forward or back, nothing is removed and no deadline ends anything for ten
 * minutes; a clock that is put right before that has done no harm. The first look ever is a leap,
 * too, unless there is nothing yet that a leap could harm.
 */
export function createSteadyTime(
  { clock, store }: Pick<Ports, 'clock' | 'store'>,
  elapsed: () => Millis,
): () => Promise<boolean> {
  const pace = new Pace();
  return async () => {
    const now = clock.now();
    const leapt = pace.leapt(now - elapsed());
    const known = await store.get(timeDoc);
    if (known === undefined) {
      const steadySince = (await hasRuns(store)) ? now : now - STEADY;
      await store.transact(async (tx) => tx.set(timeDoc, { v: 1, seenAt: now, steadySince }));
      return now - steadySince >= STEADY;
    }
    const away = Math.abs(now - known.seenAt);
    const steadySince = leapt || away > LEAP ? now : known.steadySince;
    if (leapt || away >= MINUTE)
      await store.transact(async (tx) => tx.set(timeDoc, { v: 1, seenAt: now, steadySince }));
    return now - steadySince >= STEADY;
  };
}

/** How far a clock is ahead of the time that has passed, as it was last looked at. */
class Pace {
  #ahead: Millis | undefined;

  leapt(ahead: Millis): boolean {
    const before = this.#ahead ?? ahead;
    this.#ahead = ahead;
    return Math.abs(ahead - before) > SMALL_LEAP;
  }
}

async function hasRuns(store: Ports['store']): Promise<boolean> {
  const query = { collection: 'runs', codec: readableRunCodec, filters: [], order: undefined };
  return (await store.page({ ...query, limit: 1 })).length > 0;
}

export async function isTimeSteady({ steadyTime }: Pick<App, 'steadyTime'>): Promise<boolean> {
  return steadyTime === undefined || (await steadyTime());
}

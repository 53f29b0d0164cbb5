import { z } from 'zod';
import type { Millis } from '../../domain/brand.ts';
import type { Ports } from '../../ports/index.ts';
import type { Doc } from '../../ports/store.ts';
import type { App } from '../app.ts';
import { codec } from './documents.ts';
import { readableRunCodec } from './run-document.ts';

const MINUTE = 60_000;
/** A clock that went further than this since it was last looked at leapt, or the system was off. */
const LEAP: Millis = 24 * 60 * MINUTE;
/** So long a clock must go on steadily after that. */
const STEADY: Millis = 10 * MINUTE;

const timeSchema = z.object({ v: z.literal(1), seenAt: z.number(), steadySince: z.number() });
type TimeDoc = z.infer<typeof timeSchema>;
const timeDoc: Doc<TimeDoc> = { path: 'installation/time', codec: codec<TimeDoc>(timeSchema) };

/**
 * For one machine, whose clock a person or a flat battery may set wrong for a moment: what the
 * store noted of the time is the second witness. After a leap, forward or back, nothing is removed
 * and no deadline ends anything for ten minutes; a clock that is put right before that has done no
 * harm. The first look ever is a leap, too, unless there is nothing yet that a leap could harm.
 */
export function createSteadyTime({
  clock,
  store,
}: Pick<Ports, 'clock' | 'store'>): () => Promise<boolean> {
  return async () => {
    const now = clock.now();
    const known = await store.get(timeDoc);
    if (known === undefined) {
      const steadySince = (await hasRuns(store)) ? now : now - STEADY;
      await store.transact(async (tx) => tx.set(timeDoc, { v: 1, seenAt: now, steadySince }));
      return now - steadySince >= STEADY;
    }
    const away = Math.abs(now - known.seenAt);
    const steadySince = away > LEAP ? now : known.steadySince;
    if (away >= MINUTE)
      await store.transact(async (tx) => tx.set(timeDoc, { v: 1, seenAt: now, steadySince }));
    return now - steadySince >= STEADY;
  };
}

async function hasRuns(store: Ports['store']): Promise<boolean> {
  const query = { collection: 'runs', codec: readableRunCodec, filters: [], order: undefined };
  return (await store.page({ ...query, limit: 1 })).length > 0;
}

export async function isTimeSteady({ steadyTime }: Pick<App, 'steadyTime'>): Promise<boolean> {
  return steadyTime === undefined || (await steadyTime());
}

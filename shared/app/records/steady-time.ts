import { z } from 'zod';
import type { Millis } from '../../domain/brand.ts';
import type { Ports } from '../../ports/index.ts';
import type { Doc } from '../../ports/store.ts';
import type { App } from '../app.ts';
import { codec } from './documents.ts';

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
 * harm. The first look ever is a leap, too.
 */
export function createSteadyTime({
  clock,
  store,
}: Pick<Ports, 'clock' | 'store'>): () => Promise<boolean> {
  return async () => {
    const now = clock.now();
    const known = await store.get(timeDoc);
    const leapt = known === undefined || Math.abs(now - known.seenAt) > LEAP;
    const steadySince = leapt ? now : known.steadySince;
    if (leapt || Math.abs(now - known.seenAt) >= MINUTE)
      await store.transact(async (tx) => tx.set(timeDoc, { v: 1, seenAt: now, steadySince }));
    return !leapt && now - steadySince >= STEADY;
  };
}

export async function isTimeSteady({ steadyTime }: Pick<App, 'steadyTime'>): Promise<boolean> {
  return steadyTime === undefined || (await steadyTime());
}

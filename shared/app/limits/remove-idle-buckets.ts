import type { Millis } from '../../domain/brand.ts';
import { compositeKey } from '../../domain/digest.ts';
import type { Doc } from '../../ports/store.ts';
import type { App } from '../app.ts';
import { tolerantCodec } from '../records/unreadable.ts';
import { type Bucket, bucketCodec, BUCKETS } from './owner-bucket.ts';

/** A bucket that was full for this long is removed. */
const IDLE: Millis = 24 * 60 * 60_000;
/** Rows that one call looks at. */
const LOOKED = 20;

const idleCodec = tolerantCodec(bucketCodec);

/**
 * Removes buckets of owners who were below their share for a day: a full bucket and none are the
 * same. It looks at a few rows from a place on that each moment has of its own, so the sweeps come
 * by all rows in time. An index of the times would tell them at once, but all requests over a share
 * would then write to its one hot end. Answers how many were removed.
 */
export async function removeIdleBuckets({
  clock,
  store,
}: Pick<App, 'clock' | 'store'>): Promise<number> {
  const now = clock.now();
  const idle = (bucket: Bucket | undefined) => bucket !== undefined && now - bucket.at >= IDLE;
  const page = await store.page({
    collection: BUCKETS,
    codec: idleCodec,
    filters: [],
    order: undefined,
    from: { value: compositeKey('idle', String(now)), inclusive: true },
    limit: LOOKED,
  });
  const found = page
    .filter(({ value }) => idle(value))
    .map(({ id }): Doc<Bucket> => ({ path: `${BUCKETS}/${id}`, codec: bucketCodec }));
  if (found.length === 0) return 0;
  return store.transact(async (tx) => {
    const buckets = await tx.getAll(found);
    // An owner may have come back meanwhile.
    const left = found.filter((_, at) => idle(buckets[at]));
    for (const bucket of left) tx.delete(bucket);
    return left.length;
  });
}

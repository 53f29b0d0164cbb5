/**
 * What Google says its services take, in a second unless it says otherwise. Read in 2026, some in
 * older copies: check them again before you rely on one.
 */
export const LIMITS = {
  /** Of one queue; hard. https://cloud.google.com/tasks/docs/quotas */
  queueDispatches: 500,
  /** Of one queue, at once. google.cloud.tasks.v2.RateLimits, queue.proto */
  queueConcurrency: 5_000,
  /**
   * Writes that move an entry to the end of one sequential range of an index.
   * https://cloud.google.com/firestore/docs/best-practices
   */
  sequentialIndex: 500,
  /**
   * Sustained writes of one document; short bursts are allowed. The same page; today it says
   * "depends on the workload".
   */
  document: 1,
  /**
   * Operations on a collection that is new or was idle, and half as many more every five minutes:
   * "500/50/5". The same page.
   */
  ramp: { start: 500, factor: 1.5, minutes: 5 },
  /**
   * Writes of a bucket at first; then at most twice as many every 20 minutes.
   * https://cloud.google.com/storage/docs/request-rate
   */
  bucket: { start: 1_000, minutes: 20 },
} as const;

/** Minutes of 500/50/5 until a collection may take this many operations a second. */
export function rampMinutes(operations: number): number {
  const { start, factor, minutes } = LIMITS.ramp;
  if (operations <= start) return 0;
  return Math.ceil(Math.log(operations / start) / Math.log(factor) - 1e-9) * minutes;
}

/** Minutes of doubling until a bucket takes this many writes a second. */
export function bucketMinutes(writes: number): number {
  const { start, minutes } = LIMITS.bucket;
  return writes <= start ? 0 : Math.ceil(Math.log2(writes / start) - 1e-9) * minutes;
}

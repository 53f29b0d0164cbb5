import type { Used } from './plant.ts';

/**
 * US dollars for a million, on-demand, tier 1 and one region, without free tiers. Firestore:
 * airbyte.com's copy of Google's page, Cloud Run: cloudchipr.com's (both second hand: look again
 * before you count on them). Cloud Tasks: cloud.google.com/tasks/pricing. Cloud KMS:
 * cloud.google.com/kms/pricing.
 */
const MILLION = {
  reads: 0.3,
  writes: 0.9,
  queueOperations: 0.4,
  requests: 0.4,
  keyOperations: 3,
} as const;
const VCPU_SECOND = 0.000_024;
const GIB_SECOND = 0.000_002_5;
/** Cloud Run bills an instance by the tenth of a second in which it has a request. */
const REQUEST_SECONDS = 0.1;
const GIB = 0.5;
/** How many requests an instance of the coordinator takes at once, as deployed. */
const CONCURRENCY = 40;

export interface Cost {
  readonly database: number;
  readonly queue: number;
  readonly keys: number;
  /** Each look in an instance of its own, which nothing shares; and in instances that are full. */
  readonly alone: number;
  readonly full: number;
}

/**
 * What that would have cost in a deployment, in dollars. Creating a task of the queue is an
 * operation, and so is its delivery.
 */
export function costOf({ delivered, enqueued, reads, unwrapped, writes }: Used): Cost {
  const database = (reads * MILLION.reads + writes * MILLION.writes) / 1e6;
  const queue = ((enqueued + delivered) * MILLION.queueOperations) / 1e6;
  const keys = (unwrapped * MILLION.keyOperations) / 1e6;
  const requests = (delivered * MILLION.requests) / 1e6;
  const alone = delivered * REQUEST_SECONDS * (VCPU_SECOND + GIB * GIB_SECOND);
  return { database, queue, keys, alone: requests + alone, full: requests + alone / CONCURRENCY };
}

import type { Millis } from './brand.ts';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/** Every number of the system, in one place. Times in milliseconds, sizes in bytes. */
export interface Settings {
  /** A claim holds this long without renewal. */
  readonly lease: Millis;
  readonly leaseRenewal: Millis;
  /** A segment that runs longer ends its run FAILED with DEADLINE_EXCEEDED. */
  readonly segment: Millis;
  /** Working time of a run, waits for a person not counted. */
  readonly runDeadline: Millis;
  /** A run is put back into the queue at most this often (worker lost, retryable fault); then it is FAILED. */
  readonly requeues: number;
  readonly backoff: Millis;
  readonly backoffMax: Millis;
  /** Progress (status, artifact) is committed at most once in this span. */
  readonly progressInterval: Millis;
  /** The first progress of a segment waits this long, so that a short task needs no revision of its own for it. */
  readonly progressDelay: Millis;
  /** Progress over this size is committed before the agent may go on. */
  readonly progressBytes: number;
  /** A blocking call answers the task as it stands after this long. */
  readonly blockingCap: Millis;
  readonly heartbeat: Millis;
  readonly streamLife: Millis;
  /** A stream that has carried this many bytes ends as planned: platforms bound what one answer may carry. */
  readonly streamBytes: number;
  /** Content over this size lies in an object of its own. */
  readonly inlineContent: number;
  /** While a task works, its snapshot keeps at most this much inline, so that each projection writes little. */
  readonly workingSnapshot: number;
  readonly pageSize: number;
  readonly pageSizeMax: number;
  /** A list's `totalSize` is exact up to this many tasks, and says so many where there are more (decision 0022). */
  readonly totalSizeMax: number;
  /** A request has at most this many bytes. */
  readonly requestBody: number;
  /** All requests that one process of the A2A edge reads or takes in have together at most this many bytes. */
  readonly requestBodies: number;
  /** A receipt of a message answers retries this long (G22). */
  readonly receiptLife: Millis;
  /** A run that has ended is removed with everything that belongs to it after this long; at least a day. */
  readonly retention: Millis;
  /** A run that waits for a person is removed after this long. */
  readonly waitingRetention: Millis;
  /** The sweeper looks at what is due this often, and leaves what became due only just now to the queue. */
  readonly sweepInterval: Millis;
  readonly sweepGrace: Millis;
  /** A wake-up that is due this long was lost: the sweeper's next one is a new one (decision 0009). */
  readonly repeatAfter: Millis;
  /** A remote task is polled this often at first, unless its remote says otherwise; never more often than `pollMin`. */
  readonly pollInterval: Millis;
  readonly pollMin: Millis;
  /** Polls back off up to this span. */
  readonly pollMax: Millis;
  /** A delegation is over after this long, unless its remote says otherwise. */
  readonly dependencyDeadline: Millis;
  readonly dependencyDeadlineMax: Millis;
  /** One call to a remote agent may take this long. */
  readonly remoteCall: Millis;
  /** A message to a remote agent has at most this many bytes, and so has its answer. */
  readonly remoteMessage: number;
  /** What a run may use unless its agent says otherwise (G16). */
  readonly rounds: number;
  readonly delegations: number;
  readonly delegatedBytes: number;
  /** The store tries a conflicting transaction again for this long. */
  readonly transactionDeadline: Millis;
}

export const defaults: Settings = {
  lease: minute,
  leaseRenewal: 20 * second,
  segment: 8 * minute,
  runDeadline: 24 * hour,
  requeues: 3,
  backoff: 30 * second,
  backoffMax: 10 * minute,
  progressInterval: 250,
  progressDelay: 30,
  progressBytes: 1024 * 1024,
  blockingCap: 50 * second,
  heartbeat: 15 * second,
  streamLife: 25 * minute,
  streamBytes: 8 * 1024 * 1024,
  inlineContent: 200 * 1024,
  workingSnapshot: 32 * 1024,
  pageSize: 50,
  pageSizeMax: 100,
  totalSizeMax: 1_000,
  requestBody: 10 * 1024 * 1024,
  requestBodies: 64 * 1024 * 1024,
  receiptLife: 24 * hour,
  retention: 30 * 24 * hour,
  waitingRetention: 30 * 24 * hour,
  sweepInterval: 10 * second,
  sweepGrace: 5 * second,
  repeatAfter: minute,
  pollInterval: 15 * second,
  pollMin: 5 * second,
  pollMax: 5 * minute,
  dependencyDeadline: hour,
  dependencyDeadlineMax: 24 * hour,
  remoteCall: 30 * second,
  remoteMessage: 1024 * 1024,
  rounds: 20,
  delegations: 5,
  delegatedBytes: 10 * 1024 * 1024,
  transactionDeadline: 8 * second,
};

/** Runs are spread over this many shards, so that the index of due rows has no single hot end. Fixed: rows carry it. */
export const SHARDS = 8;

import { MOST, PURGES_AT_ONCE } from '../../shared/app/worker/purge-batches.ts';
import { SHARDS_AT_ONCE } from '../../shared/app/worker/sweep.ts';
import { defaults } from '../../shared/domain/settings.ts';

/** What a deployment has. All but the last two are Terraform's variables. */
export interface Deployment {
  readonly a2aInstances: number;
  readonly a2aConcurrency: number;
  readonly workerInstances: number;
  readonly workerConcurrency: number;
  readonly projectorInstances: number;
  readonly projectorConcurrency: number;
  readonly queueShards: number;
  /** `shards` and `listShards` of its `settings`. */
  readonly shards: number;
  readonly listShards: number;
  /**
   * Scopes (agent, tenant, caller) that tasks are listed by. Without authentication each agent has
   * one.
   */
  readonly callers: number;
  /** Minutes since load came, for Firestore's ramp; undefined where it is over. */
  readonly warm: number | undefined;
}

/**
 * What `terraform apply` makes when nothing is set (terraform/modules/holdfast/variables.tf; a test
 * compares them).
 */
export const asDeployed: Deployment = {
  a2aInstances: 20,
  a2aConcurrency: 80,
  workerInstances: 50,
  workerConcurrency: 8,
  projectorInstances: 20,
  projectorConcurrency: 16,
  queueShards: 2,
  shards: defaults.shards,
  listShards: defaults.listShards,
  callers: 1,
  warm: undefined,
};

/**
 * What a task does and how long Google takes. Assumed, all of it: Google publishes no latencies.
 * Milliseconds.
 */
export interface Assumptions {
  /** Until the agent has its answer. */
  readonly agent: number;
  readonly read: number;
  readonly commit: number;
  readonly key: number;
  readonly createTask: number;
  readonly delivery: number;
  /** One object written, listed or deleted. */
  readonly object: number;
  /** Processor time of accepting a message, and of running a segment apart from its agent. */
  readonly a2aCpu: number;
  readonly workerCpu: number;
  /** Each of these times varies by this share to both sides, evenly. */
  readonly spread: number;
}

export const assumed: Assumptions = {
  agent: 500,
  read: 15,
  commit: 40,
  key: 20,
  createTask: 40,
  delivery: 50,
  object: 60,
  a2aCpu: 5,
  workerCpu: 15,
  spread: 0.5,
};

/**
 * One task purged, as shared/app/privacy/purge-run.ts goes: a transaction on row and context; a
 * listing of the task's objects, then a listing of generations and a deletion for each of two;
 * queries for journal, revisions (twice each, until nothing is found) and receipts (gone long ago),
 * three commits of deletions. One step after the other.
 */
export function purgeTime({ read, commit, object }: Assumptions): number {
  return 2 * read + commit + 5 * object + 5 * read + 3 * commit;
}

/** So many of one wake-up, some at once (shared/app/worker/purge-batches.ts). */
export function groupTime(size: number, given: Assumptions): number {
  return Math.ceil(size / PURGES_AT_ONCE) * purgeTime(given);
}

/** A shard's next wake-up: half a page read, and the call. */
export const handOverTime = ({ read, createTask }: Assumptions): number => read / 2 + createTask;

/** Shards that a sweep is at, each with one call at a time. */
export const sweptAtOnce = ({ shards }: Deployment): number => Math.min(shards, SHARDS_AT_ONCE);

const HEADROOM = 1.5;
/** The autoscaler aims at this share of a processor (Cloud Run, about instance autoscaling). */
const CPU_TARGET = 0.6;

/** A deployment with every ceiling of this load lifted, by what docs/scale.md says lifts it. */
export function liftedFor(rate: number, given: Assumptions): Deployment {
  const load = rate * HEADROOM;
  const seconds = (given.agent + 700) / 1_000;
  const concurrency = 80;
  const instances = (busy: number, cpu: number): number =>
    Math.ceil(Math.max(busy / concurrency, (rate * cpu) / 1_000 / CPU_TARGET));
  return {
    a2aInstances: Math.max(asDeployed.a2aInstances, instances(load * seconds, given.a2aCpu)),
    a2aConcurrency: concurrency,
    workerInstances: Math.max(
      asDeployed.workerInstances,
      instances(load * seconds, given.workerCpu),
    ),
    workerConcurrency: concurrency,
    projectorInstances: Math.max(
      asDeployed.projectorInstances,
      Math.ceil((load * groupTime(MOST, given)) / MOST / 1_000 / asDeployed.projectorConcurrency),
    ),
    projectorConcurrency: asDeployed.projectorConcurrency,
    queueShards: Math.max(
      asDeployed.queueShards,
      Math.ceil(load / 500),
      Math.ceil((load * seconds) / 5_000),
    ),
    shards: Math.max(asDeployed.shards, Math.ceil((load * 3) / 500)),
    listShards: Math.max(asDeployed.listShards, Math.ceil((load * 2) / 500)),
    callers: asDeployed.callers,
    warm: undefined,
  };
}

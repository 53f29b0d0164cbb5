import type { Millis } from '../../domain/brand.ts';
import type { Circuit } from '../../domain/circuit.ts';
import { agentName } from '../../domain/ids.ts';
import type { Run } from '../../domain/run.ts';
import { lapsed } from '../../domain/transitions.ts';
import type { Filter, RowQuery } from '../../ports/backend.ts';
import type { App } from '../app.ts';
import {
  type ChangedWait,
  changedOf,
  type Read,
  readWaits,
  WAITING,
  type Waits,
  type WaitingStatus,
} from './changed-waits.ts';
import { BLOCKED, readableRunCodec, UNKNOWN_SEND } from '../records/run-document.ts';
import type { Rights } from './operator-rights.ts';
import { type ParkedBacklog, parkedBacklog } from './parked-webhooks.ts';

/**
 * Rows that are due are looked at up to this many in each shard: leases that lapsed are among them.
 */
const SCAN = 100;
/** Counts go no further than this in each shard. */
const COUNTED = 100_000;

/** Runs that are named one by one. */
const SHOWN = 20;

export interface OperatorStatus {
  readonly at: Millis;
  readonly queued: number;
  readonly running: number;
  readonly waiting: {
    readonly approval: number;
    readonly input: number;
    /** All that wait for a remote agent, `unknownSend` included. */
    readonly dependency: number;
    readonly unknownSend: number;
  };
  /** Runs that came back to what is gone or changed, and wait for that or for an operator. */
  readonly blocked: number;
  /** Those, and runs that wait and could not go on either: of runs that this operator may see. */
  readonly changed: readonly ChangedWait[];
  /** Claims that were not renewed in time, and that the sweeper has not taken back yet. */
  readonly expiredLeases: number;
  /** `expiredLeases` counts no further than this. */
  readonly looked: number;
  /**
   * Runs that failed because they, or a tool of theirs, could not safely be tried again; of those
   * that are still kept.
   */
  readonly deadLettered: {
    readonly attemptsExhausted: number;
    readonly effectUnknown: number;
  };
  /** The run whose public state is the oldest of those that wait. */
  readonly oldestWait?: {
    readonly since: Millis;
    readonly status: string;
    /** Only of a run that this operator may see. */
    readonly id?: string;
  };
  /** Agents of which nothing begins, of those that this operator may see. */
  readonly pausedAgents: readonly { readonly agent: string; readonly since: Millis }[];
  /** Remote agents that are left alone, whatever the agents that declare them. */
  readonly circuits: readonly Circuit[];
  /** Webhooks that are told nothing more until an operator, or their caller, says so. */
  readonly parkedWebhooks: ParkedBacklog;
}

/**
 * How the installation is, in numbers: of all agents, because they share one backlog. Each number
 * is a count by an index; only leases that lapsed are found among the rows that are due, and no
 * further than `looked`.
 */
export async function operatorStatus(app: App, rights: Rights): Promise<OperatorStatus> {
  const at = app.clock.now();
  const count = (field: string, equals: string) => countAll(app, [{ field, equals }]);
  const [
    queued,
    running,
    unknownSend,
    exhausted,
    effect,
    due,
    [waits, { approval, input, dependency, blocked }],
    parked,
    paused,
    circuits,
  ] = await Promise.all([
    count('status', 'queued'),
    count('status', 'running'),
    count('attention', UNKNOWN_SEND),
    count('reason', 'ATTEMPTS_EXHAUSTED'),
    count('reason', 'EFFECT_UNKNOWN'),
    dueRuns(app, at),
    readAndCount(app),
    parkedBacklog(app, rights),
    pausedAgents(app, rights),
    app.circuits.open(),
  ]);
  const oldest = oldestOf(waits);
  const shown = oldest && (await rights(oldest.agent)).size > 0;
  return {
    at,
    queued,
    running,
    waiting: { approval, input, dependency, unknownSend },
    blocked,
    changed: await seenBy(rights, changedOf(app, waits)),
    expiredLeases: due.filter((run) => lapsed(run, at)).length,
    looked: SCAN * (await app.shards.toRead()).runs,
    deadLettered: { attemptsExhausted: exhausted, effectUnknown: effect },
    ...(oldest && {
      oldestWait: {
        since: 'pausedAt' in oldest ? oldest.pausedAt : oldest.statusAt,
        status: oldest.status,
        ...(shown && { id: oldest.taskId }),
      },
    }),
    parkedWebhooks: parked,
    pausedAgents: paused,
    circuits,
  };
}

async function pausedAgents(app: App, rights: Rights): Promise<OperatorStatus['pausedAgents']> {
  const all = [...(await app.pausedAgents.all())].flatMap(([name, pauses]) => {
    const agent = agentName(name);
    const paused = pauses.find(({ until }) => until === null);
    return agent === undefined || paused === undefined ? [] : [{ agent, since: paused.since }];
  });
  const may = await Promise.all(all.map(async ({ agent }) => (await rights(agent)).size > 0));
  return all.filter((_, at) => may[at]);
}

async function seenBy(
  rights: Rights,
  all: readonly ChangedWait[],
): Promise<readonly ChangedWait[]> {
  const may = await Promise.all(all.map(async ({ run }) => (await rights(run.agent)).size > 0));
  return all.filter((_, at) => may[at]).slice(0, SHOWN);
}

const shardsOf = async (app: App): Promise<readonly Filter[]> => {
  const { runs } = await app.shards.toRead();
  return Array.from({ length: runs }, (_, shard) => ({ field: 'shard', equals: shard }));
};

async function countAll(app: App, filters: readonly Filter[]): Promise<number> {
  const queries = (await shardsOf(app)).map(
    (shard): RowQuery => ({
      collection: 'runs',
      filters: [shard, ...filters],
      order: undefined,
      limit: COUNTED,
    }),
  );
  const counts = await Promise.all(queries.map((query) => app.store.count(query)));
  return counts.reduce((sum, each) => sum + each, 0);
}

async function dueRuns(app: App, now: Millis): Promise<readonly Run[]> {
  const shards = await shardsOf(app);
  const pages = await Promise.all(
    shards.map((shard) =>
      app.store.page({
        collection: 'runs',
        codec: readableRunCodec,
        filters: [shard],
        order: { field: 'dueAt', direction: 'asc' },
        to: { value: now, inclusive: true },
        limit: SCAN,
      }),
    ),
  );
  return pages.flat().flatMap(({ value }) => value ?? []);
}

/** Few wait, as a rule: those that were read are all, and need no count. */
async function readAndCount(app: App) {
  const waits = await readWaits(app);
  const countOf = async ({ count }: Read, field: string, equals: string): Promise<number> =>
    count ?? countAll(app, [{ field, equals }]);
  const ofStatus = (status: WaitingStatus) => countOf(waits.waiting[status], 'status', status);
  const [approval, input, dependency, blocked] = await Promise.all([
    ofStatus('waiting_for_approval'),
    ofStatus('waiting_for_input'),
    ofStatus('waiting_for_dependency'),
    countOf(waits.blocked, 'attention', BLOCKED),
  ]);
  return [waits, { approval, input, dependency, blocked }] as const;
}

function oldestOf({ waiting }: Waits): Run | undefined {
  const runs = WAITING.flatMap((status) => waiting[status].runs);
  return runs.toSorted((a, b) => a.statusAt - b.statusAt)[0];
}

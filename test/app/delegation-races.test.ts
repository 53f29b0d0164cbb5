import { describe, expect, it } from 'vitest';
import { handleWakeUp } from '../../shared/app/worker/handle-wake-up.ts';
import { pauseCodec } from '../../shared/app/records/work-documents.ts';
import { sweep } from '../../shared/app/worker/sweep.ts';
import type { Backend } from '../../shared/ports/backend.ts';
import type { Ids } from '../../shared/ports/ids.ts';
import type { WakeUp } from '../../shared/ports/queue.ts';
import { delegatingAgent } from '../doubles/delegating-agent.ts';
import { MemoryRemoteAgents } from '../../testing/memory-remote-agents.ts';
import { seededIds } from '../../testing/seeded-ids.ts';
import { settled } from '../../testing/virtual-clock.ts';
import { Peer } from '../../testing/peer.ts';
import { remoteAt } from '../fixtures/remotes/remote.ts';
import { openAt, row, sends, suspended, total } from './waiting.ts';
import { World } from './world.ts';

const remote = remoteAt('https://peer.example/card', { deadline: 600_000 });

/** Store calls of all processes, let go one at a time in an order that a seed gives. */
class Turns {
  free = true;
  /** What happens in the middle, after so many turns. */
  later: { turns: number; readonly run: () => void } | undefined;
  readonly #waiting: (() => void)[] = [];
  readonly #chance: Ids;

  constructor(chance: Ids) {
    this.#chance = chance;
  }

  gated(below: Backend): Backend {
    const turn = async <T>(run: () => Promise<T>): Promise<T> => {
      if (!this.free) await new Promise<void>((resolve) => this.#waiting.push(resolve));
      return run();
    };
    return {
      read: (paths) => turn(() => below.read(paths)),
      commit: (checks, writes) => turn(() => below.commit(checks, writes)),
      query: (query, after) => turn(() => below.query(query, after)),
      count: (query) => below.count(query),
      follow: (query, after, signal) => below.follow(query, after, signal),
      watch: (path, signal) => below.watch(path, signal),
      close: () => below.close(),
    };
  }

  /** Until no call waits for a turn any more. */
  async all(): Promise<void> {
    for (let idle = 0; idle < 3; ) {
      await settled();
      const [next] = this.#waiting.splice(this.#chance.random() * this.#waiting.length, 1);
      if (next === undefined) idle += 1;
      else idle = 0;
      next?.();
      if (this.later !== undefined) this.later.turns -= 1;
      if ((this.later?.turns ?? 1) > 0) continue;
      this.later?.run();
      this.later = undefined;
    }
  }
}

interface Race {
  /** The client cancels at that moment. */
  readonly cancels: boolean;
  /** The deadline comes at that moment. */
  readonly late: boolean;
  /** The remote has the answer by then. */
  readonly answered: boolean;
}

/** Everything that is handed over is delivered to both processes, at once. */
async function raced(seed: number, { answered, cancels, late }: Race): Promise<string> {
  const chance = seededIds(seed);
  const turns = new Turns(chance);
  const peer = new Peer();
  const agent = delegatingAgent({ remote });
  const options = {
    remotes: new MemoryRemoteAgents(peer),
    wrap: (backend: Backend) => turns.gated(backend),
  };
  const first = new World(agent, options);
  const second = new World(agent, { ...options, below: first });
  const worlds = [first, second];
  const { taskId } = await first.send(`race ${seed}`);
  await first.work();
  const { dependency, revision, taskId: id } = await suspended(first, taskId);
  if (answered) peer.settle(openAt(peer)[0] ?? '', 'COMPLETED', 'done');
  const at = late ? dependency.deadlineAt : dependency.nextPollAt;
  for (const world of worlds) {
    world.queue.length = 0;
    await world.clock.advance(at - world.clock.now());
  }
  turns.free = false;
  const deliver = (wakeUp: WakeUp) => {
    for (const { app } of worlds) void handleWakeUp(app, wakeUp);
  };
  const cancel = () => void first.service.cancel(first.principal, taskId).catch(() => undefined);
  if (cancels) turns.later = { turns: Math.floor(chance.random() * 80), run: cancel };
  deliver({ kind: 'poll', taskId: id, revision, at });
  deliver({ kind: 'dependency-deadline', taskId: id, revision, at });
  if (chance.random() < 0.3) void sweep(second.app);
  await turns.all();
  for (let round = 0; round < 20; round += 1) {
    const handed = worlds
      .flatMap(({ queue }) => queue.splice(0))
      .filter((wakeUp) => wakeUp.at <= at);
    if (handed.length === 0) break;
    handed.forEach(deliver);
    await turns.all();
  }
  turns.free = true;
  for (const world of worlds) {
    await world.clock.advance(600_000);
    await sweep(world.app);
    await world.work();
  }
  return judged(first, peer, agent, taskId);
}

async function judged(
  world: World,
  peer: Peer,
  agent: ReturnType<typeof delegatingAgent>,
  taskId: string,
): Promise<string> {
  const run = await row(world, taskId);
  expect(run.orphans).toBeUndefined();
  expect([total(peer.sends), peer.tasks.size, sends(world, taskId).length]).toEqual([1, 1, 1]);
  expect(total(peer.cancels), 'cancels').toBeLessThanOrEqual(1);
  const steps = world.backend.all(`runs/${taskId}/steps`).map(({ fields }) => fields['kind']);
  const resolved = world.backend
    .all(`runs/${taskId}/pauses`)
    .map(({ fields, path }) => pauseCodec.decode(fields, path).resolution ?? 'none');
  expect(resolved).toHaveLength(1);
  const [resolution = ''] = resolved;
  // One result step for one resolution, and the agent sees one result.
  expect(steps).toEqual(resolution === 'none' ? ['turn'] : ['turn', 'result']);
  const seen = new Set(agent.seen.map(({ value }) => JSON.stringify(value)));
  expect(seen.size).toBeLessThanOrEqual(1);
  for (const value of seen) expect(JSON.parse(value)).toMatchObject({ status: resolution });
  if (run.status === 'completed') expect(seen.size).toBe(1);
  // A remote task that had not ended is cancelled, and no other is.
  const cancelled = resolution === 'timeout' || resolution === 'none';
  expect(total(peer.cancels)).toBe(cancelled ? 1 : 0);
  return `${run.status} ${resolution}`;
}

const RACES: readonly [string, Race, readonly string[]][] = [
  [
    'two coordinators and two workers for one answer',
    { cancels: false, late: false, answered: true },
    ['completed completed'],
  ],
  [
    'a cancel against the answer',
    { cancels: true, late: false, answered: true },
    ['cancelled none', 'cancelled completed', 'completed completed'],
  ],
  [
    'a cancel against the deadline',
    { cancels: true, late: true, answered: false },
    ['cancelled none', 'cancelled timeout', 'completed timeout'],
  ],
  [
    'a cancel, the deadline and the answer at one moment',
    { cancels: true, late: true, answered: true },
    // The last look finds the answer.
    ['cancelled none', 'cancelled completed', 'completed completed'],
  ],
];

describe('of all that race for one suspension one resolves it (G11), in 1,000 schedules', () => {
  it.each(RACES)('%s: one resolves it, and the agent sees one result', async (_, race, allowed) => {
    const outcomes = new Map<string, number>();
    for (let seed = 1; seed <= 250; seed += 1) {
      const outcome = await raced(seed, race).catch((error: unknown) => {
        throw new Error(`seed ${seed}`, { cause: error });
      });
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    }
    // Each of them came first in some schedule.
    expect([...outcomes.keys()].sort()).toEqual([...allowed].sort());
  });
});

import { describe, expect, it } from 'vitest';
import { decideDirectly } from '../../shared/app/decisions/decide-directly.ts';
import { purgeRun } from '../../shared/app/privacy/purge-run.ts';
import { runSegment } from '../../shared/app/worker/run-segment.ts';
import { storeDecision } from '../../shared/app/decisions/store-decision.ts';
import { sweep } from '../../shared/app/worker/sweep.ts';
import type { Decision } from '../../shared/domain/decision.ts';
import { isRefused } from '../../shared/domain/refusal.ts';
import type { Backend } from '../../shared/ports/backend.ts';
import { seededIds } from '../../testing/seeded-ids.ts';
import { settled } from '../../testing/virtual-clock.ts';
import {
  approve,
  deny,
  type Effects,
  held,
  input,
  operator,
  owner,
  part,
  rowOf,
  TestGrants,
} from './deciding.ts';
import { World } from './world.ts';

/** Calls overtake each other by as many turns of the event loop as the seed says. */
class Disorder {
  readonly #chance: ReturnType<typeof seededIds>;
  on = false;

  constructor(seed: number) {
    this.#chance = seededIds(seed);
  }

  upTo(most: number): number {
    return Math.floor(this.#chance.random() * (most + 1));
  }

  async wait(most: number): Promise<void> {
    for (let turns = this.on ? this.upTo(most) : 0; turns > 0; turns -= 1) await settled();
  }

  below(backend: Backend): Backend {
    return {
      read: async (paths) => {
        await this.wait(4);
        return backend.read(paths);
      },
      commit: async (checks, writes) => {
        await this.wait(4);
        return backend.commit(checks, writes);
      },
      query: (query, after) => backend.query(query, after),
      count: (query) => backend.count(query),
      follow: (query, after, signal) => backend.follow(query, after, signal),
      watch: (path, signal) => backend.watch(path, signal),
      close: () => backend.close(),
    };
  }
}

interface Race {
  readonly world: World;
  readonly taskId: string;
  readonly effects: Effects;
  readonly agent: ReturnType<typeof held>;
  readonly disorder: Disorder;
  readonly asks: 'approval' | 'words';
}

async function race(seed: number): Promise<Race> {
  const disorder = new Disorder(seed);
  const asks = disorder.upTo(1) === 0 ? 'approval' : 'words';
  const effects: Effects = [];
  const agent = held(effects, { owner: true }, asks);
  const grants = new TestGrants();
  grants.given.set('hopper@example.com', ['decide']);
  const world = new World(agent, {
    grants,
    idempotency: 'always',
    wrap: (backend) => disorder.below(backend),
  });
  const { taskId } = await world.send('pay ada');
  await world.work();
  disorder.on = true;
  return { world, taskId, effects, agent, disorder, asks };
}

/** Who decides, each in another way; each with what its agent does when it wins. */
type Contender = 'stored' | 'direct' | 'message' | 'plain';

async function contend(run: Race, by: Contender): Promise<boolean> {
  const { agent, asks, disorder, taskId, world } = run;
  const wanted = (decision: Decision, said: string): Decision =>
    asks === 'approval' ? decision : input(said);
  await disorder.wait(12);
  switch (by) {
    case 'stored': {
      const decision = wanted(approve, 'stored');
      return !isRefused(await storeDecision(world.app, operator(), taskId, decision));
    }
    case 'direct': {
      const decision = wanted(deny, 'direct');
      const hopper = operator('hopper@example.com');
      const decided = await decideDirectly(world.app, hopper, taskId, decision);
      if (isRefused(decided)) return false;
      if (decided.claimed === undefined) throw new Error('a decision without its claim');
      await runSegment(world.app, decided.claimed, agent, decided.delivery);
      return true;
    }
    case 'message': {
      const said = [part(wanted(approve, 'message'))];
      // The client repeats itself at once, as one that lost the answer.
      const send = () => world.trySend(said, { taskId, messageId: 'm' });
      const [first, twin] = await Promise.all([send(), send()]);
      if (isRefused(first) !== isRefused(twin)) throw new Error('a retry is answered otherwise');
      return !isRefused(first);
    }
    case 'plain':
      return !isRefused(await world.trySend([{ text: 'yes' }], { taskId }));
  }
}

const CONTENDERS: readonly Contender[] = ['stored', 'direct', 'message', 'plain'];

/**
 * What the winner makes the agent of an approval do; an answer in words makes no step of this
 * agent, so it asks again.
 */
const EFFECT: Record<Contender, string | undefined> = {
  stored: 'paid',
  direct: 'declined by operator',
  message: 'paid',
  plain: undefined,
};

async function seeds(count: number, each: (seed: number) => Promise<void>): Promise<void> {
  for (let seed = 1; seed <= count; seed += 1) {
    try {
      await each(seed);
    } catch (error) {
      throw new Error(`seed ${seed}`, { cause: error });
    }
  }
}

describe('of all who decide about one pause at the same moment exactly one wins (G18)', () => {
  it('stored, direct, by message and in plain words: 1,000 schedules', async () => {
    const wins = new Map<Contender, number>();
    await seeds(1_000, async (seed) => {
      const run = await race(seed);
      const results = await Promise.all(CONTENDERS.map((by) => contend(run, by)));
      const winners = CONTENDERS.filter((_, at) => results[at]);
      expect(winners).toHaveLength(1);
      const [winner] = winners;
      if (winner === undefined) return;
      wins.set(winner, (wins.get(winner) ?? 0) + 1);
      if (run.asks === 'approval') expect(winner).not.toBe('plain');
      run.disorder.on = false;
      await run.world.work();
      const { history, metadata, status } = await run.world.get(run.taskId);
      if (winner === 'plain') {
        expect(run.effects).toEqual([]);
        expect(status.state).toBe('INPUT_REQUIRED');
        expect(metadata).toBeUndefined();
        return;
      }
      const effect = run.asks === 'approval' ? EFFECT[winner] : 'paid';
      expect(run.effects).toEqual([effect]);
      expect(status.state).toBe('COMPLETED');
      expect(metadata?.['decision']).toMatchObject({ run: run.taskId, generation: 1 });
      if (run.asks === 'words') expect(status.message?.parts).toEqual([{ data: { got: winner } }]);
      // The loser has left nothing behind.
      const own = winner === 'message' || run.asks === 'words' ? 1 : 0;
      expect(history.filter(({ role }) => role === 'user')).toHaveLength(1 + own);
      expect(run.world.backend.all(`runs/${run.taskId}/decisions`)).toHaveLength(1);
    });
    // All of them had their chances, or the schedules are no schedules.
    for (const by of CONTENDERS) expect(wins.get(by) ?? 0, by).toBeGreaterThan(50);
  }, 120_000);

  it('with a cancel and a removal among them: one end, and one effect at most', async () => {
    const ends = new Map<string, number>();
    await seeds(500, async (seed) => {
      const run = await race(seed);
      const { disorder, effects, taskId, world } = run;
      // A decision of an operator is noted in the audit record, which takes it some more calls.
      const cancel = async () => {
        await disorder.wait(40);
        return world.service.cancel(world.principal, taskId);
      };
      const purge = async () => {
        await disorder.wait(40);
        return purgeRun(world.app, taskId);
      };
      const others = disorder.upTo(2) === 0 ? [cancel(), purge()] : [cancel()];
      const results = await Promise.all(CONTENDERS.map((by) => contend(run, by)));
      await Promise.all(others);
      disorder.on = false;
      await world.work();
      const winners = CONTENDERS.filter((_, at) => results[at]);
      expect(winners.length).toBeLessThanOrEqual(1);
      expect(effects.length).toBeLessThanOrEqual(1);
      if (winners.length === 0) expect(effects).toEqual([]);
      const task = await world.service.get(world.principal, taskId);
      const end = isRefused(task) ? task.code : task.status.state;
      expect(['CANCELED', 'COMPLETED', 'TASK_NOT_FOUND']).toContain(end);
      if (end === 'COMPLETED') expect(effects).toHaveLength(1);
      ends.set(end, (ends.get(end) ?? 0) + 1);
    });
    for (const end of ['CANCELED', 'COMPLETED', 'TASK_NOT_FOUND'])
      expect(ends.get(end) ?? 0, end).toBeGreaterThan(10);
  }, 120_000);
});

describe('decision, cancel and deadline at the same moment', () => {
  it('come to one end, and a pause is never late', async () => {
    const ends = new Map<string, number>();
    await seeds(300, async (seed) => {
      const disorder = new Disorder(seed);
      const effects: Effects = [];
      const grants = new TestGrants();
      const agent = held(effects);
      const world = new World(
        { ...agent, run: async (segment) => (await slow(world), agent.run(segment)) },
        {
          grants,
          settings: { runDeadline: 1_000, sweepGrace: 0 },
          wrap: (backend) => disorder.below(backend),
        },
      );
      const { taskId } = await world.send('pay ada');
      await world.work();
      await world.clock.advance(998);
      await world.rest();
      expect((await rowOf(world, taskId)).status).toBe('waiting_for_approval');
      // Its deadline is long over by the clock, and two milliseconds away by what it has used.
      await world.clock.advance(5_000);
      await sweep(world.app);
      expect((await rowOf(world, taskId)).status).toBe('waiting_for_approval');
      disorder.on = true;
      const chance = async <T>(act: () => Promise<T>): Promise<T> => {
        await disorder.wait(30);
        return act();
      };
      await Promise.all([
        chance(() => storeDecision(world.app, operator(), taskId, approve)),
        chance(() => world.work()),
        chance(() => world.clock.advance(2)),
        chance(() => sweep(world.app)),
        disorder.upTo(3) === 0
          ? chance(() => world.service.cancel(world.principal, taskId))
          : undefined,
      ]);
      disorder.on = false;
      await world.clock.advance(world.app.settings.lease + 1_000);
      await sweep(world.app);
      await world.work();
      const { metadata, status } = await world.get(taskId);
      const end = status.state === 'FAILED' ? metadata?.['reason'] : status.state;
      if (typeof end !== 'string') throw new Error(status.state);
      expect(['CANCELED', 'COMPLETED', 'DEADLINE_EXCEEDED']).toContain(end);
      expect(effects.length).toBeLessThanOrEqual(1);
      if (end === 'COMPLETED') expect(effects).toHaveLength(1);
      ends.set(end, (ends.get(end) ?? 0) + 1);
    });
    expect([...ends.keys()].toSorted()).toEqual(['CANCELED', 'COMPLETED', 'DEADLINE_EXCEEDED']);
  }, 120_000);
});

/** The first segment takes nearly all the time that the run has; the second none. */
async function slow(world: World): Promise<void> {
  if (world.clock.now() < 1_800_000_000_900) await world.clock.sleep(998);
}

describe('an owner against an operator', () => {
  it('both approve at once: one receipt, one effect, and the other one is told that the pause is over', async () => {
    await seeds(100, async (seed) => {
      const { disorder, effects, taskId, world, asks } = await race(seed);
      const decision = asks === 'approval' ? approve : input('x');
      const answers = await Promise.all(
        [owner(world), operator()].map(async (decider) => {
          await disorder.wait(8);
          return storeDecision(world.app, decider, taskId, decision);
        }),
      );
      const refused = answers.filter(isRefused);
      expect(refused.map(({ code }) => code)).toEqual(['PAUSE_OVER']);
      disorder.on = false;
      await world.work();
      expect(effects).toEqual(['paid']);
    });
  });
});

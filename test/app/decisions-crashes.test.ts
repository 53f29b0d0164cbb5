import { describe, expect, it } from 'vitest';
import { decideDirectly } from '../../shared/app/decisions/decide-directly.ts';
import type { Decider } from '../../shared/app/decisions/decider.ts';
import { decisionDoc } from '../../shared/app/records/work-documents.ts';
import { runSegment } from '../../shared/app/worker/run-segment.ts';
import { storeDecision } from '../../shared/app/decisions/store-decision.ts';
import { sweep } from '../../shared/app/worker/sweep.ts';
import { isRefused } from '../../shared/domain/refusal.ts';
import type { Backend } from '../../shared/ports/backend.ts';
import { Unavailable } from '../../shared/ports/faults.ts';
import { approve, type Effects, held, operator, part, rowOf, TestGrants } from './deciding.ts';
import { World } from './world.ts';

/**
 * The process dies, or its store fails, at every call between a decision and what it lets go on.
 */
type Fault = 'before' | 'after' | 'crash-before' | 'crash-after';
const FAULTS: readonly Fault[] = ['before', 'after', 'crash-before', 'crash-after'];

class Injector {
  calls = 0;
  armed = false;
  dead = false;
  readonly #at: number;
  readonly #fault: Fault;

  constructor(at: number, fault: Fault) {
    this.#at = at;
    this.#fault = fault;
  }

  async call<T>(run: () => Promise<T>): Promise<T> {
    if (this.dead) throw new Unavailable('a dead process');
    if (!this.armed) return run();
    this.calls += 1;
    if (this.calls !== this.#at) return run();
    if (this.#fault.endsWith('after')) await run();
    this.dead = this.#fault.startsWith('crash');
    throw new Unavailable('the store');
  }

  below(backend: Backend): Backend {
    return {
      read: (paths) => this.call(() => backend.read(paths)),
      commit: (checks, writes) => this.call(() => backend.commit(checks, writes)),
      query: (query, after) => backend.query(query, after),
      count: (query) => backend.count(query),
      follow: (query, after, signal) => backend.follow(query, after, signal),
      watch: (path, signal) => backend.watch(path, signal),
      close: () => backend.close(),
    };
  }
}

/** How the decision comes in. */
type Way = 'stored' | 'direct' | 'message';

interface Scene {
  readonly first: World;
  /** Another process, which takes over. */
  readonly second: World;
  readonly injector: Injector;
  readonly taskId: string;
  readonly effects: Effects;
  readonly grants: TestGrants;
  readonly agent: ReturnType<typeof held>;
}

async function scene(at: number, fault: Fault): Promise<Scene> {
  const injector = new Injector(at, fault);
  const effects: Effects = [];
  const grants = new TestGrants();
  const agent = held(effects, { owner: true });
  const options = {
    grants,
    idempotency: 'always',
    settings: { transactionDeadline: 200, progressDelay: 5, sweepGrace: 0 },
  } as const;
  const first = new World(agent, { ...options, wrap: (backend) => injector.below(backend) });
  const { taskId } = await first.send('pay ada');
  await first.work();
  injector.armed = true;
  const second = new World(agent, { ...options, below: first });
  return { first, second, injector, taskId, effects, grants, agent };
}

const decider: Decider = operator();

/** Undefined: nothing was heard of it. */
async function decide(
  world: World,
  { agent, taskId }: Scene,
  way: Way,
): Promise<string | undefined> {
  try {
    if (way === 'message') {
      const sent = await world.trySend([part(approve)], { taskId, messageId: 'decides' });
      return isRefused(sent) ? sent.code : 'taken';
    }
    if (way === 'stored') {
      const stored = await storeDecision(world.app, decider, taskId, approve);
      return isRefused(stored) ? stored.code : stored.id;
    }
    const decided = await decideDirectly(world.app, decider, taskId, approve);
    if (isRefused(decided)) return decided.code;
    if (decided.claimed !== undefined)
      await runSegment(world.app, decided.claimed, agent, decided.delivery);
    return decided.receipt.id;
  } catch {
    return undefined;
  }
}

/** Wake-ups, timers and the sweeper do what they can. */
async function passTime(world: World, rounds: number): Promise<void> {
  for (let round = 0; round < rounds; round += 1) {
    await world.work();
    await world.clock.advance(round < 4 ? 500 : world.app.settings.lease);
    await sweep(world.app).catch(() => undefined);
    await world.work();
  }
}

/** Runs the scene to its end, with a fault at the call of that number. */
async function play(
  way: Way,
  at: number,
  fault: Fault,
  between: (scene: Scene) => void = () => undefined,
): Promise<Scene & { readonly heard: readonly (string | undefined)[] }> {
  const it = await scene(at, fault);
  const heard: (string | undefined)[] = [];
  const said = decide(it.first, it, way).then((answer) => void heard.push(answer));
  await it.first.clock.advance(1_000);
  // A dead process may never come back to its caller.
  if (!it.injector.dead) await said;
  if (heard[0] === undefined && !it.injector.dead) heard.push(await decide(it.first, it, way));
  between(it);
  await passTime(it.first, 4);
  it.injector.dead = true;
  await it.second.clock.advance(10_000);
  // Who heard nothing asks again, and who did may: the answer is the same.
  heard.push(await decide(it.second, it, way));
  await passTime(it.second, 10);
  return { ...it, heard };
}

async function everyCall(way: Way, fault: Fault, check: (at: number) => Promise<number>) {
  const calls = await check(Number.POSITIVE_INFINITY);
  expect(calls).toBeGreaterThan(8);
  for (let at = 1; at <= calls; at += 1) {
    try {
      await check(at);
    } catch (error) {
      throw new Error(`${way}, ${fault} at call ${at} of ${calls}`, { cause: error });
    }
  }
}

describe('an approval is neither lost nor used twice', () => {
  describe.each<Way>(['stored', 'direct', 'message'])('%s', (way) => {
    it.each(FAULTS)(
      'with a fault (%s) at every call of the store',
      async (fault) => {
        await everyCall(way, fault, async (at) => {
          const played = await play(way, at, fault);
          const { effects, heard, injector, second, taskId } = played;
          const { metadata, status } = await second.get(taskId);
          // One decision, however often and to whom it was told.
          expect(new Set(heard.filter((answer) => answer !== undefined)).size).toBe(1);
          expect(heard.at(-1)).toMatch(way === 'message' ? /taken/ : /-/);
          const steps = second.backend.all(`runs/${taskId}/steps`);
          expect(steps.filter(({ fields }) => fields['kind'] === 'decision')).toHaveLength(1);
          const [decision, ...more] = second.backend.all(`runs/${taskId}/decisions`);
          expect(more).toEqual([]);
          expect(decision?.fields['state']).toBe('consumed');
          expect((await rowOf(second, taskId)).pauseGeneration).toBe(1);
          // The tool must not run twice: a worker that was lost with it begun leaves that to a
          // person.
          if (status.state === 'FAILED') {
            expect(metadata?.['reason']).toBe('EFFECT_UNKNOWN');
            expect(fault).toMatch(/crash/);
            expect(effects.length).toBeLessThanOrEqual(1);
          } else {
            expect(status.state).toBe('COMPLETED');
            expect(effects).toEqual(['paid']);
          }
          return injector.calls;
        });
      },
      60_000,
    );
  });
});

describe('an approval whose decider lost the right meanwhile', () => {
  it.each(FAULTS)(
    'is released once, and takes no effect, with a fault (%s) at every call',
    async (fault) => {
      await everyCall('stored', fault, async (at) => {
        const played = await play('stored', at, fault, ({ grants }) => grants.given.clear());
        const { effects, grants, heard, injector, second, taskId } = played;
        expect(effects).toEqual([]);
        expect(await second.state(taskId)).toBe('AUTH_REQUIRED');
        const { pauseGeneration } = await rowOf(second, taskId);
        const doc = await second.app.store.get(decisionDoc(taskId, 1));
        // Never heard of and never stored: then there is nothing to refuse, and no client may store
        // it any more.
        expect(pauseGeneration).toBe(doc === undefined ? 1 : 2);
        if (doc === undefined) expect(heard[0]).toBeUndefined();
        else expect(doc.state).toBe('refused');
        grants.given.set('grace@example.com', ['decide']);
        const anew = await storeDecision(second.app, decider, taskId, {
          ...approve,
          pauseGeneration,
        });
        expect(isRefused(anew)).toBe(false);
        await second.work();
        expect(effects).toEqual(['paid']);
        return injector.calls;
      });
    },
    60_000,
  );
});

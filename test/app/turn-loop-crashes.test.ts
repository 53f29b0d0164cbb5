import { describe, expect, it } from 'vitest';
import { readTrail } from '../../shared/app/content/read-trail.ts';
import { handleWakeUp } from '../../shared/app/worker/handle-wake-up.ts';
import { sweep } from '../../shared/app/worker/sweep.ts';
import type { Backend } from '../../shared/ports/backend.ts';
import { Unavailable } from '../../shared/ports/faults.ts';
import { call, ScriptedModel } from '../../testing/scripted-model.ts';
import { MemoryRemoteAgents } from '../../testing/memory-remote-agents.ts';
import { Peer } from '../../testing/peer.ts';
import { decide, everythingGranted, modelAgent, type Ran, rowOf } from './turn-loop-world.ts';
import { World } from './world.ts';

/**
 * A whole run: tools of each kind, an approval, an input, a delegation, artifacts on the way and at
 * the end.
 */
const script = () =>
  new ScriptedModel(
    {
      calls: [call('look', { at: 'a' }), call('note', { at: 'b' }), call('pay', { at: 'c' })],
      artifacts: [{ parts: 'first' }, { artifactId: 'own', parts: 'second' }],
    },
    { calls: [call('note', { at: 'd' }), call('erase', { at: 'e' })] },
    { calls: [call('choose', { at: 'f' })], artifacts: [{ parts: 'third' }] },
    { calls: [call('peer', { message: 'please' })] },
    { calls: [call('look', { at: 'g' }), call('peer', { message: 'mixed' })] },
    { text: 'done', artifacts: [{ parts: 'last' }] },
  );
const ONCE = ['pay', 'erase'];

type Loss =
  /** The store does not answer that commit. */
  | 'fault'
  /** The process is gone from that commit on. */
  | 'death';
interface Crash {
  readonly at: number;
  /** Was the commit applied? */
  readonly applied: boolean;
  readonly loss: Loss;
}

/** Counts the worker's commits, and loses one of them. */
class Loser {
  commits = 0;
  dead = false;
  readonly #crash: Crash | undefined;

  constructor(crash?: Crash) {
    this.#crash = crash;
  }

  wrap(below: Backend): Backend {
    const alive = <T>(work: () => Promise<T>): Promise<T> =>
      this.dead ? new Promise(() => undefined) : work();
    return {
      read: (paths) => alive(() => below.read(paths)),
      query: (query, after) => alive(() => below.query(query, after)),
      count: (query) => alive(() => below.count(query)),
      follow: (query, after, signal) => below.follow(query, after, signal),
      watch: (path, signal) => below.watch(path, signal),
      close: () => below.close(),
      commit: (checks, writes) =>
        alive(async () => {
          this.commits += 1;
          const crash = this.#crash;
          if (this.commits !== crash?.at) return below.commit(checks, writes);
          if (crash.applied) await below.commit(checks, writes);
          if (crash.loss === 'fault') throw new Unavailable('store');
          this.dead = true;
          return new Promise(() => undefined);
        }),
    };
  }
}

async function run(crash?: Crash) {
  const ran: Ran[] = [];
  const model = script();
  const peer = new Peer();
  const loser = new Loser(crash);
  const agent = modelAgent(model, ran);
  const installation = { answer: 'metadata', audit: 'full' } as const;
  const ports = { remotes: new MemoryRemoteAgents(peer), grants: everythingGranted, installation };
  // One process answers people and sweeps; the other works until it is lost.
  const front = new World(agent, ports);
  const worker = new World(agent, { ...ports, below: front, wrap: (b) => loser.wrap(b) });
  const { taskId } = await front.send('go');
  for (let round = 0; ; round += 1) {
    if (round > 400) throw new Error(`it does not end: ${(await rowOf(front, taskId)).status}`);
    await deliver(front, loser.dead ? front : worker);
    const row = await rowOf(front, taskId);
    if (row.status === 'completed' || row.status === 'failed') break;
    // People see a pause, and its end, when that is projected.
    const seen = row.projectedRevision < row.revision ? undefined : row.status;
    if (seen === 'waiting_for_approval') await decide(front, taskId, 'approve');
    else if (seen === 'waiting_for_input') await front.trySend([{ data: { n: 2 } }], { taskId });
    else await pass(front, worker, loser, peer);
  }
  // What was left to the sweeper.
  await pass(front, worker, loser, peer);
  await deliver(front, front);
  const ended = await rowOf(front, taskId);
  return {
    trail: await readTrail(front.app, ended, { words: true }),
    ran,
    model,
    peer,
    loser,
    task: await front.get(taskId),
    row: ended,
  };
}

async function deliver(front: World, by: World): Promise<void> {
  for (let quiet = 0; quiet < 2; quiet += 1) {
    front.queue.push(...(by === front ? [] : by.queue.splice(0)));
    for (const wakeUp of front.queue.splice(0)) {
      if (wakeUp.at > by.clock.now()) front.queue.push(wakeUp);
      else void handleWakeUp(by.app, wakeUp);
    }
    for (let turn = 0; turn < 3; turn += 1) await by.rest();
  }
}

/** Time, for the processes that are alive; the remote is done by then. */
async function pass(front: World, worker: World, loser: Loser, peer: Peer): Promise<void> {
  for (const { state, taskId } of peer.tasks.values())
    if (state === 'WORKING') peer.settle(taskId, 'COMPLETED', 'the answer');
  const span = 25_000;
  await front.clock.advance(span);
  if (!loser.dead) await worker.clock.advance(span);
  await sweep(front.app);
}

function check({ model, peer, ran, row, task, trail }: Awaited<ReturnType<typeof run>>): void {
  const times = new Map<string, number>();
  for (const { callId } of ran) times.set(callId, (times.get(callId) ?? 0) + 1);
  const once = ran.filter(({ tool }) => ONCE.includes(tool));
  expect(new Set(once.map(({ callId }) => callId)).size).toBe(once.length);
  const repeated = [...times.values()].reduce((sum, count) => sum + count - 1, 0);
  expect(repeated + Math.max(0, model.calls - 6)).toBeLessThanOrEqual(1);
  expect([...peer.sends.values()].every((count) => count === 1)).toBe(true);
  const ids = task.artifacts.map(({ artifactId }) => artifactId);
  expect(new Set(ids).size).toBe(ids.length);
  expect(trail).toMatchObject({ open: false, level: 'full' });
  expect(trail.steps.map(({ number }) => number).slice(0, row.steps)).toEqual(
    Array.from({ length: row.steps }, (_, before) => before + 1),
  );
  expect(trail.steps.slice(0, row.steps).every(({ step }) => step !== undefined)).toBe(true);
  const named = trail.steps.flatMap(({ facts: { calls = [] }, kind }) =>
    kind === 'result' ? calls.map(({ name }) => name) : [],
  );
  for (const { tool } of once.filter(({ callId }) => times.get(callId) === 1))
    if (row.status === 'completed') expect(named).toContain(tool);
  if (row.status === 'failed') {
    expect(row.reason).toBe('EFFECT_UNKNOWN');
    return;
  }
  expect(task).toMatchObject({
    status: { state: 'COMPLETED', message: { parts: [{ text: 'done' }] } },
    artifacts: [
      { artifactId: 'artifact-1', parts: [{ text: 'first' }] },
      { artifactId: 'own', parts: [{ text: 'second' }] },
      { artifactId: 'artifact-3', parts: [{ text: 'third' }] },
      { artifactId: 'artifact-4', parts: [{ text: 'last' }] },
    ],
  });
  expect(task.artifacts.every(({ parts }) => parts.length === 1)).toBe(true);
  expect(once.map(({ tool }) => tool)).toEqual(ONCE);
  expect(row.spent).toMatchObject({ rounds: 6, delegations: 1 });
  expect(times.size).toBe(6);
}

describe('a whole run, whatever is lost', () => {
  it('without a loss takes each step once', async () => {
    const whole = await run();
    check(whole);
    expect(whole.ran.map(({ tool }) => tool)).toEqual([
      'look',
      'note',
      'pay',
      'note',
      'erase',
      'choose',
    ]);
    expect(whole.model.calls).toBe(6);
    expect(whole.row.status).toBe('completed');
  });

  it.each<[string, Loss, boolean]>([
    ['the store does not answer a commit that it did not apply', 'fault', false],
    ['the store does not answer a commit that it applied', 'fault', true],
    ['the worker is killed before a commit', 'death', false],
    ['the worker is killed after a commit', 'death', true],
  ])(
    '%s: at every commit',
    async (_what, loss, applied) => {
      const { commits } = (await run()).loser;
      expect(commits).toBeGreaterThan(25);
      const outcomes = new Map<string, number>();
      for (let at = 1; at <= commits; at += 1) {
        const crashed = await run({ at, applied, loss });
        try {
          check(crashed);
        } catch (cause) {
          throw new Error(`commit ${at} of ${commits}`, { cause });
        }
        const { row } = crashed;
        const outcome = row.status === 'failed' ? row.reason : row.status;
        outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
      }
      // A store that answers in the end costs nothing; a worker that is gone within one of the two
      // tools costs the run.
      const unknown = outcomes.get('EFFECT_UNKNOWN') ?? 0;
      expect(unknown).toBe(loss === 'fault' ? 0 : 2);
      expect(outcomes.get('completed')).toBe(commits - unknown);
    },
    60_000,
  );
});

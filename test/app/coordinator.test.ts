import { describe, expect, it } from 'vitest';
import { coordinate } from '../../shared/app/delegation/coordinate.ts';
import { writableRun } from '../../shared/app/change/writable-run.ts';
import { nextPoll } from '../../shared/app/delegation/poll-schedule.ts';
import { continueRun } from '../../shared/app/operators/continue-run.ts';
import { rightsOf } from '../../shared/app/operators/operator-rights.ts';
import { sendDoc } from '../../shared/app/records/work-documents.ts';
import { sweep } from '../../shared/app/worker/sweep.ts';
import type { Remote } from '../../shared/domain/remote.ts';
import { delegatingAgent } from '../doubles/delegating-agent.ts';
import { MemoryRemoteAgents } from '../../testing/memory-remote-agents.ts';
import { everythingGranted } from './turn-loop-world.ts';
import {
  begun,
  minute,
  openAt,
  passes,
  row,
  sends,
  suspended,
  total,
  waitingWorld,
} from './waiting.ts';
import { latch, World } from './world.ts';

const hour = 60 * minute;

describe('a look at the remote task', () => {
  it("comes at the remote's interval, then less and less often, and never together with all others", async () => {
    const { world, peer } = waitingWorld({ remote: { deadline: 2 * hour } });
    const taskId = await begun(world);
    const spans: number[] = [];
    let last = world.clock.now();
    for (let n = 0; n < 14; n += 1) {
      const { nextPollAt } = (await suspended(world, taskId)).dependency;
      spans.push(nextPollAt - last);
      last = nextPollAt;
      await world.clock.advance(nextPollAt - world.clock.now());
      await world.work();
    }
    expect(total(peer.looks)).toBe(14);
    const [first = 0, second = 0] = spans;
    expect(first).toBeGreaterThanOrEqual(13_500);
    expect(first).toBeLessThanOrEqual(16_500);
    expect(second).toBeGreaterThan(first);
    for (const span of spans.slice(-3)) {
      expect(span).toBeGreaterThanOrEqual(0.9 * 5 * minute);
      expect(span).toBeLessThanOrEqual(1.1 * 5 * minute);
    }
    expect(new Set(spans.slice(-3)).size).toBe(3);
    const remote = { pollInterval: 1_000 } as Remote;
    expect(nextPoll(world.app, remote, 0, 0)).toBeGreaterThanOrEqual(4_500);
  });

  it('that fails is a failure of the look: it comes again, later and not before the remote wants it', async () => {
    const { world, peer, agent } = waitingWorld();
    peer.script(
      'look',
      { kind: 'drop', when: 'before' },
      { kind: 'error', code: 503, retryAfterSeconds: 600 },
      { kind: 'error', code: -32603 },
    );
    const taskId = await begun(world);
    const at = async () => (await suspended(world, taskId)).dependency;
    await world.clock.advance((await at()).nextPollAt - world.clock.now());
    await world.work();
    expect(await at()).toMatchObject({ failures: 1, polls: 1 });
    await world.clock.advance((await at()).nextPollAt - world.clock.now());
    await world.work();
    expect(await at()).toMatchObject({ failures: 2, polls: 2 });
    expect((await at()).nextPollAt - world.clock.now()).toBe(600_000);
    await passes(world, 590_000, 30_000);
    expect((await at()).failures).toBe(2);
    peer.settle(openAt(peer)[0] ?? '', 'COMPLETED', 'done');
    await passes(world, 5 * minute);
    expect(agent.seen).toMatchObject([{ value: { status: 'completed' } }]);
  });

  it.each([
    ['INPUT_REQUIRED', 'input-required', 1],
    ['AUTH_REQUIRED', 'auth-required', 1],
    ['FAILED', 'failed', 0],
    ['REJECTED', 'rejected', 0],
    ['CANCELED', 'canceled', 0],
  ] as const)('that finds %s gives the model that result', async (state, status, cancels) => {
    const { world, peer, agent } = waitingWorld();
    const taskId = await begun(world);
    peer.settle(openAt(peer)[0] ?? '', state, 'its words');
    await passes(world, minute);
    expect(agent.seen).toMatchObject([{ value: { status, message: [{ text: 'its words' }] } }]);
    expect(total(peer.cancels)).toBe(cancels);
    expect(await world.state(taskId)).toBe('COMPLETED');
  });

  it('that takes long is not joined by a second one, however often the sweeper finds it due', async () => {
    const { world, peer } = waitingWorld();
    const taskId = await begun(world);
    const until = latch();
    const hold = { kind: 'hold', when: 'after', until: until.opened } as const;
    peer.script('look', hold, hold, hold);
    await passes(world, 50_000);
    expect(total(peer.looks)).toBe(1);
    until.open();
    await world.rest();
    expect(await suspended(world, taskId)).toMatchObject({ dependency: { polls: 1 } });
    await passes(world, 30_000);
    expect(total(peer.looks)).toBe(2);
  });

  it('that finds a state of a newer protocol waits on', async () => {
    const { world, peer } = waitingWorld();
    const taskId = await begun(world);
    peer.settle(openAt(peer)[0] ?? '', 'PAUSED');
    await passes(world, 2 * minute);
    expect(await suspended(world, taskId)).toMatchObject({ dependency: { failures: 0 } });
  });

  it('that finds the task gone, or an answer that can not be used, says so', async () => {
    const { world, peer, agent } = waitingWorld({ agent: { times: 2 } });
    await begun(world);
    peer.tasks.clear();
    await passes(world, minute);
    peer.script('look', { kind: 'malformed' });
    await passes(world, minute);
    expect(agent.seen.slice(-2)).toMatchObject([
      { value: { status: 'gone' } },
      { value: { status: 'unusable' } },
    ]);
    expect(total(peer.cancels)).toBe(1);
  });

  it('at a remote that is not declared any more waits for an operator, and then has no remote to cancel at', async () => {
    const made = waitingWorld({ remote: { deadline: 10 * minute } });
    const taskId = await begun(made.world);
    const later = delegatingAgent({ remote: { ...made.remote, name: 'other' } });
    const remotes = new MemoryRemoteAgents(made.peer);
    const world = new World(later, { below: made.world, remotes, grants: everythingGranted });
    await passes(world, 11 * minute, minute);
    const { blocked } = await suspended(world, taskId);
    const operator = { subject: 'olga', rights: rightsOf(world.app, 'olga') };
    await continueRun(world.app, operator, taskId, blocked?.digest ?? '');
    await passes(world, minute, 10_000);
    expect(later.seen).toMatchObject([{ value: { status: 'timeout' } }]);
    expect(total(made.peer.looks)).toBe(0);
    expect(sends(world, taskId)[0]).toMatchObject({ cancelled: 'remote not declared' });
    expect((await row(world, taskId)).orphans).toBeUndefined();
  });
});

describe('the bounds of a remote', () => {
  const spansOf = async (more: Partial<Remote>) => {
    const { world } = waitingWorld({ remote: { deadline: 4 * hour, ...more } });
    const taskId = await begun(world);
    const spans: number[] = [];
    for (let n = 0, last = world.clock.now(); n < 14; n += 1) {
      const { nextPollAt } = (await suspended(world, taskId)).dependency;
      spans.push(nextPollAt - last);
      last = nextPollAt;
      await world.clock.advance(nextPollAt - world.clock.now());
      await world.work();
    }
    return spans;
  };
  const within = (span: number | undefined, wanted: number) => {
    expect(span).toBeGreaterThanOrEqual(0.9 * wanted);
    expect(span).toBeLessThanOrEqual(1.1 * wanted);
  };

  it('pollMax as long as pollInterval keeps its pace', async () => {
    for (const span of await spansOf({ pollInterval: 20_000, pollMax: 20_000 }))
      within(span, 20_000);
  });

  it('pollMax bounds the growth, also beyond that of the installation', async () => {
    within((await spansOf({ pollMax: minute })).at(-1), minute);
    within((await spansOf({ pollMax: 20 * minute })).at(-1), 20 * minute);
  });

  it('pollMin is never undercut, by no interval either', async () => {
    const [first] = await spansOf({ pollInterval: 10_000, pollMin: 30_000 });
    within(first, 30_000);
  });
});

describe('the deadline of a dependency (G17)', () => {
  it('has one last look: a result that came while no coordinator was there is the result', async () => {
    const { world, peer, agent } = waitingWorld({ remote: { deadline: 10 * minute } });
    await begun(world);
    peer.settle(openAt(peer)[0] ?? '', 'COMPLETED', 'done in time');
    world.queue.length = 0;
    await world.clock.advance(11 * minute);
    await passes(world, minute);
    expect(agent.seen).toMatchObject([
      { value: { status: 'completed', message: [{ text: 'done in time' }] } },
    ]);
    expect([total(peer.looks), total(peer.cancels)]).toEqual([1, 0]);
  });

  it('has one last look for a task whose answer was lost, too', async () => {
    const { world, peer, agent } = waitingWorld({ remote: { deadline: 10 * minute } });
    peer.script('send', { kind: 'drop', when: 'after' });
    await begun(world);
    peer.settle(openAt(peer)[0] ?? '', 'COMPLETED', 'done in time');
    world.queue.length = 0;
    await world.clock.advance(11 * minute);
    await passes(world, minute);
    expect(agent.seen).toMatchObject([{ value: { status: 'completed' } }]);
    expect(total(peer.sends)).toBe(1);
  });

  it.each([
    ['a task at work', true, /is asked to cancel/],
    ['a send of unknown outcome', false, /not known whether the remote agent received/],
  ])('tells the model what is known of %s', async (_, known, words) => {
    const { world, peer, agent } = waitingWorld({
      peer: { canList: false },
      remote: { deadline: 10 * minute },
    });
    if (!known) peer.script('send', { kind: 'drop', when: 'after' });
    await begun(world);
    await passes(world, 12 * minute, 30_000);
    const note = expect.stringMatching(words) as string;
    expect(agent.seen).toMatchObject([{ value: { status: 'timeout', note } }]);
    expect(JSON.stringify(agent.seen)).not.toContain('was cancelled');
  });

  it('resolves with a timeout and cancels the remote task, once', async () => {
    const { world, peer, agent } = waitingWorld({ remote: { deadline: 10 * minute } });
    const taskId = await begun(world);
    await passes(world, 15 * minute, 30_000);
    expect(agent.seen).toMatchObject([{ value: { status: 'timeout' } }]);
    expect([...peer.cancels.values()]).toEqual([1]);
    expect(await world.state(taskId)).toBe('COMPLETED');
    expect(sends(world, taskId)).toMatchObject([{ state: 'acknowledged', cancelled: 'CANCELED' }]);
  });

  it('comes to its time although no look ever succeeded', async () => {
    const { world, peer, agent } = waitingWorld({ remote: { deadline: 10 * minute } });
    await begun(world);
    peer.reachable = false;
    await passes(world, 11 * minute, 30_000);
    expect(agent.seen).toMatchObject([{ value: { status: 'timeout' } }]);
  });

  it('that a look runs into keeps no caller waiting', async () => {
    const { world, peer, agent } = waitingWorld({ remote: { deadline: minute } });
    const taskId = await begun(world);
    const { dependency } = await suspended(world, taskId);
    peer.script('look', { kind: 'hold', when: 'before', until: new Promise(() => undefined) });
    await world.clock.advance(dependency.nextPollAt - world.clock.now());
    await world.work();
    await passes(world, 2 * minute);
    expect(agent.seen).toMatchObject([{ value: { status: 'timeout' } }]);
  });

  it('of the whole run ends it FAILED, with one CancelTask', async () => {
    const { world, peer } = waitingWorld({ settings: { runDeadline: 10 * minute } });
    const taskId = await begun(world);
    await passes(world, 12 * minute, 30_000);
    expect((await world.get(taskId)).metadata).toEqual({ reason: 'DEADLINE_EXCEEDED' });
    expect([...peer.cancels.values()]).toEqual([1]);
  });
});

describe('a send whose outcome is not known (G15)', () => {
  it('shows in the row, is never sent again, and has its deadline without a CancelTask', async () => {
    const { world, peer, agent } = waitingWorld({
      peer: { canList: false },
      remote: { deadline: 10 * minute },
    });
    peer.script('send', { kind: 'drop', when: 'after' });
    const taskId = await begun(world);
    expect(await suspended(world, taskId)).toMatchObject({ dependency: { operation: null } });
    expect(sends(world, taskId)).toMatchObject([{ state: 'outcome_unknown', reason: 'no answer' }]);
    await passes(world, 12 * minute, 30_000);
    expect(agent.seen).toMatchObject([{ value: { status: 'timeout' } }]);
    expect([total(peer.sends), total(peer.cancels)]).toEqual([1, 0]);
    expect(sends(world, taskId)).toMatchObject([{ state: 'outcome_unknown' }]);
  });

  it('is found again by its context, without a second send', async () => {
    const { world, peer, agent } = waitingWorld();
    peer.script('send', { kind: 'drop', when: 'after' });
    const taskId = await begun(world);
    await passes(world, 30_000);
    expect(sends(world, taskId)).toMatchObject([{ state: 'acknowledged', reason: 'found' }]);
    peer.settle(openAt(peer)[0] ?? '', 'COMPLETED', 'done');
    await passes(world, minute);
    expect(agent.seen).toMatchObject([{ value: { status: 'completed' } }]);
    expect(total(peer.sends)).toBe(1);
  });

  it('is left to a person where the remote has two tasks of it', async () => {
    const { world, peer } = waitingWorld();
    peer.script('send', { kind: 'twice' });
    const taskId = await begun(world);
    expect(peer.tasks.size).toBe(2);
    // As if the answer that named one of them had been lost.
    const run = await suspended(world, taskId);
    const [send] = sends(world, taskId);
    if (send === undefined) throw new Error('no send');
    await world.app.store.transact(async (tx) => {
      tx.set(writableRun(taskId), { ...run, dependency: { ...run.dependency, operation: null } });
      tx.set(sendDoc(taskId, send.messageId), { ...send, state: 'outcome_unknown' });
    });
    await passes(world, 2 * minute);
    expect(await suspended(world, taskId)).toMatchObject({ dependency: { operation: null } });
    peer.tasks.delete(openAt(peer)[1] ?? '');
    await passes(world, 2 * minute);
    expect((await suspended(world, taskId)).dependency.operation).not.toBeNull();
  });
});

describe('a wake-up', () => {
  it('for a suspension that is over does nothing', async () => {
    const { world, peer } = waitingWorld();
    const taskId = await begun(world);
    const wakeUps = [...world.queue];
    peer.settle(openAt(peer)[0] ?? '', 'COMPLETED', 'done');
    await passes(world, minute);
    const before = await row(world, taskId);
    for (const wakeUp of wakeUps) await coordinate(world.app, wakeUp);
    expect(await row(world, taskId)).toEqual(before);
    expect(wakeUps.map(({ kind }) => kind)).toEqual(['poll', 'dependency-deadline']);
  });

  it('that was lost is found by the sweeper', async () => {
    const { world, peer, agent } = waitingWorld();
    await begun(world);
    peer.settle(openAt(peer)[0] ?? '', 'COMPLETED', 'done');
    world.queue.length = 0;
    await world.clock.advance(minute);
    await sweep(world.app);
    await world.work();
    expect(agent.seen).toMatchObject([{ value: { status: 'completed' } }]);
  });

  it('of a queue whose clock is ahead is handed over again, under another name', async () => {
    const { world, peer } = waitingWorld();
    const taskId = await begun(world);
    const poll = world.queue.find(({ kind }) => kind === 'poll');
    if (poll === undefined) throw new Error('no poll');
    world.queue.length = 0;
    await coordinate(world.app, poll);
    expect(world.queue).toEqual([{ ...poll, repeat: 1_000_001 }]);
    expect(total(peer.looks)).toBe(0);
    await suspended(world, taskId);
  });
});

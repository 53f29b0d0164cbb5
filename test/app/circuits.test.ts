import { describe, expect, it } from 'vitest';
import type { Backend } from '../../shared/ports/backend.ts';
import { Unavailable } from '../../shared/ports/faults.ts';
import { openAt, passes, row, total, waitingWorld, type WaitingOptions } from './waiting.ts';
import { type Waiting } from './waiting.ts';

const minute = 60_000;
const hour = 60 * minute;

/** Sends that were tried, also those that never left. */
function tried({ world }: Waiting): number {
  return world.backend.everything().filter(({ path }) => path.includes('/sends/')).length;
}

/** A world whose remote is down, and has just been left alone. */
async function downWorld(options: WaitingOptions = {}) {
  const made = waitingWorld(options);
  made.peer.reachable = false;
  // Three tries each: the fifth failure in a row is the second of the second run.
  const first = await made.world.send('one');
  await passes(made.world, 10_000);
  const second = await made.world.send('two');
  await passes(made.world, 10_000);
  return { ...made, first: first.taskId, second: second.taskId };
}

describe('a remote that failed five times in a row', () => {
  it('is left alone: a run that would send to it waits in the queue, without a worker', async () => {
    const made = await downWorld();
    const { first, second, world } = made;
    expect(await world.state(first)).toBe('COMPLETED');
    const run = await row(world, second);
    expect(run).toMatchObject({ status: 'queued', circuit: 'peer', attempts: 0 });
    const [circuit] = await world.app.circuits.open();
    expect(circuit).toMatchObject({ remote: 'peer', faults: 5, reason: expect.any(String) });
    const before = tried(made);
    const third = await world.send('three');
    await passes(world, 5_000);
    expect(await row(world, third.taskId)).toMatchObject({ status: 'queued', circuit: 'peer' });
    expect(tried(made)).toBe(before);
    expect(await world.state(third.taskId)).toBe('WORKING');
  });

  it('is called by all again once it has answered one, and gets each message once', async () => {
    const made = await downWorld();
    const { peer, second, world } = made;
    const more: string[] = [];
    for (let n = 0; n < 4; n += 1) more.push((await world.send(`more ${n}`)).taskId);
    await passes(world, 2 * minute);
    expect(peer.sends.size).toBe(0);
    peer.reachable = true;
    await passes(world, 5 * minute);
    for (const task of openAt(peer)) peer.settle(task, 'COMPLETED', 'done');
    await passes(world, 5 * minute);
    for (const taskId of [second, ...more]) expect(await world.state(taskId)).toBe('COMPLETED');
    expect([...peer.sends.values()]).toEqual([1, 1, 1, 1, 1]);
    expect(await world.app.circuits.open()).toEqual([]);
    expect(world.logged.map(({ event }) => event)).toContain('circuit closed');
  });

  it('gets one call when its rest is over, of all that want to call it', async () => {
    const made = await downWorld();
    const { peer, remote, world } = made;
    const other = waitingWorld({ below: world }).world;
    const [circuit] = await world.app.circuits.open();
    const until = circuit?.openUntil ?? 0;
    const span = until - world.clock.now();
    await world.clock.advance(span);
    await other.clock.advance(until - other.clock.now());
    const answers = [
      await other.app.circuits.restOf(remote),
      await world.app.circuits.restOf(remote),
      await other.app.circuits.restOf(remote),
    ];
    expect(answers.map((each) => each === undefined)).toEqual([true, false, false]);
    // The one that was let through is gone without an outcome: the next is, when that must be over.
    await world.clock.advance(world.app.settings.remoteCall * 1.25);
    peer.reachable = true;
    expect(await world.app.circuits.restOf(remote)).toBeUndefined();
  });

  it('is left alone by every process, within seconds', async () => {
    const made = await downWorld();
    const { remote, world } = made;
    const other = waitingWorld({ below: world }).world;
    await other.clock.advance(world.clock.now() - other.clock.now());
    expect(await other.app.circuits.restOf(remote)).toBeGreaterThan(world.clock.now());
  });

  it('fails nothing but by its own deadline', async () => {
    const { second, world } = await downWorld({ settings: { runDeadline: 3 * hour } });
    await passes(world, 2 * hour + 50 * minute, 30_000);
    expect(await world.state(second)).toBe('WORKING');
    expect((await row(world, second)).attempts).toBe(0);
    await passes(world, 20 * minute, 30_000);
    expect(await row(world, second)).toMatchObject({
      status: 'failed',
      reason: 'DEADLINE_EXCEEDED',
    });
  });

  it('is polled less and less, and the result is there when it is back', async () => {
    const options = { remote: { deadline: 12 * hour, pollInterval: 5_000, pollMax: 5_000 } };
    const { peer, world } = waitingWorld(options);
    const { taskId } = await world.send('hello');
    await world.work();
    peer.reachable = false;
    let looks = 0;
    const { remotes } = world.app;
    const poll = remotes.poll.bind(remotes);
    Object.assign(remotes, {
      poll: (...given: Parameters<typeof poll>) => {
        looks += 1;
        return poll(...given);
      },
    });
    await passes(world, hour);
    // Five in a row, and then after half a minute, one, two, four, and each five minutes.
    expect(looks).toBeGreaterThan(10);
    expect(looks).toBeLessThan(25);
    peer.reachable = true;
    peer.settle(openAt(peer)[0] ?? '', 'COMPLETED', 'done');
    await passes(world, 6 * minute);
    expect(await world.state(taskId)).toBe('COMPLETED');
  });

  it('is looked at once more at the deadline of a wait, although it is left alone', async () => {
    const { peer, world } = waitingWorld({ remote: { deadline: 10 * minute } });
    const { taskId } = await world.send('hello');
    await world.work();
    peer.reachable = false;
    await passes(world, 9 * minute + 50_000);
    expect(await world.app.circuits.open()).toHaveLength(1);
    peer.reachable = true;
    peer.settle(openAt(peer)[0] ?? '', 'COMPLETED', 'done');
    // Nothing is left but the deadline's own look.
    await world.clock.advance(10_000);
    world.queue.splice(0, world.queue.length, ...world.queue.filter(({ kind }) => kind !== 'poll'));
    await passes(world, 10_000);
    expect(await world.state(taskId)).toBe('COMPLETED');
  });

  it('is never left alone where that is switched off', async () => {
    const { second, world } = await downWorld({ settings: { circuitFaults: 0 } });
    expect(await world.state(second)).toBe('COMPLETED');
    expect(await world.app.circuits.open()).toEqual([]);
  });

  it('is not left alone for what our own configuration is to blame for, or for a refusal', async () => {
    const { remote, world } = waitingWorld();
    const refusing = { kind: 'refused', reason: 'a2a -32602', code: -32602 } as const;
    const blamed = { kind: 'not_sent', reason: 'private address', advice: 'set it' } as const;
    for (const outcome of [refusing, blamed]) {
      const made = waitingWorld({
        remotes: { ...world.app.remotes, send: () => Promise.resolve(outcome) },
      });
      for (let n = 0; n < 6; n += 1) {
        const out = { messageId: `m${n}`, contextId: 'c', parts: [] };
        await made.world.app.remotes.send(remote, out);
      }
      expect(await made.world.app.circuits.open()).toEqual([]);
    }
  });

  it('that answers in between begins anew', async () => {
    const { remote, world } = waitingWorld();
    for (const fault of ['a', 'a', 'a', 'a', undefined, 'a', 'a', 'a', 'a'])
      await world.app.circuits.note(remote, fault);
    expect(await world.app.circuits.open()).toEqual([]);
    await world.app.circuits.note(remote, 'a');
    expect(await world.app.circuits.open()).toHaveLength(1);
  });

  it('is another than one of the same name with another card', async () => {
    const { remote, world } = waitingWorld();
    for (let n = 0; n < 5; n += 1) await world.app.circuits.note(remote, 'dns');
    const moved = { ...remote, card: 'https://elsewhere.example/card' };
    expect(await world.app.circuits.restOf(moved)).toBeUndefined();
    expect(await world.app.circuits.restOf(remote)).toBeGreaterThan(0);
  });
});

describe('a store that breaks', () => {
  it('while a failure is noted changes nothing of what became of the call', async () => {
    let away = false;
    const wrap = (backend: Backend): Backend => ({
      read: (paths) => backend.read(paths),
      query: (...given) => backend.query(...given),
      count: (...given) => backend.count(...given),
      follow: (...given) => backend.follow(...given),
      watch: (path, signal) => backend.watch(path, signal),
      close: () => backend.close(),
      commit: (checks, writes) =>
        away && writes.some(({ path }) => path === 'installation/remotes')
          ? Promise.reject(new Unavailable('the store'))
          : backend.commit(checks, writes),
    });
    const { peer, world } = waitingWorld({ wrap });
    away = true;
    peer.reachable = false;
    const tasks: string[] = [];
    for (let n = 0; n < 3; n += 1) {
      tasks.push((await world.send(`${n}`)).taskId);
      await passes(world, 30_000);
    }
    for (const taskId of tasks) expect(await world.state(taskId)).toBe('COMPLETED');
    expect(world.logged.map(({ event }) => event)).toContain('circuit not noted');
    expect(total(peer.sends)).toBe(0);
  });
});

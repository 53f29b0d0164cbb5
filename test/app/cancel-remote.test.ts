import { describe, expect, it } from 'vitest';
import { coordinate } from '../../shared/app/delegation/coordinate.ts';
import { writableRun } from '../../shared/app/change/writable-run.ts';
import { tightenCeiling } from '../../shared/app/privacy/tighten-ceiling.ts';
import { MemoryRemoteAgents } from '../../testing/memory-remote-agents.ts';
import { latch } from './world.ts';
import type { Fault } from '../../testing/peer.ts';
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

const never = new Promise<never>(() => undefined);
const cancel = (made: ReturnType<typeof waitingWorld>, taskId: string) =>
  made.world.service.cancel(made.world.principal, taskId);

describe('a task of a send whose outcome is not known, when no run waits for it any more', () => {
  const lost = { kind: 'drop', when: 'after' } as const;

  it('is found by the context that is ours alone, and cancelled once', async () => {
    const made = waitingWorld();
    const { world, peer } = made;
    peer.script('send', lost);
    const taskId = await begun(world);
    await cancel(made, taskId);
    await passes(world, 10 * minute, 30_000);
    expect([...peer.cancels.values()]).toEqual([1]);
    expect(sends(world, taskId)).toMatchObject([
      { state: 'acknowledged', reason: 'found', cancelled: 'CANCELED' },
    ]);
    expect((await row(world, taskId)).orphans).toBeUndefined();
  });

  it('is cancelled once after a timeout, too', async () => {
    const { world, peer, agent } = waitingWorld({ remote: { deadline: 10 * minute } });
    // It is there only after the last look.
    peer.script('send', { kind: 'drop', when: 'before' });
    const taskId = await begun(world);
    await passes(world, 10 * minute + 5_000, 30_000);
    expect(agent.seen).toMatchObject([{ value: { status: 'timeout' } }]);
    const [send] = sends(world, taskId);
    if (send === undefined) throw new Error('no send');
    const { contextId, messageId } = send;
    peer.accept({ contextId, messageId, parts: [{ text: 'late' }] });
    await passes(world, 10 * minute, 30_000);
    expect([...peer.cancels.values()]).toEqual([1]);
  });

  it.each([
    [
      'at a remote that lists nothing',
      { canList: false },
      'not cancelled: the remote lists no tasks',
    ],
    ['that was never made', {}, 'not cancelled: no task found'],
  ])('%s is looked for a few times, and the send says so', async (_, peerOptions, cancelled) => {
    const made = waitingWorld({ peer: peerOptions });
    const { world, peer } = made;
    peer.script('send', { kind: 'drop', when: 'before' });
    const taskId = await begun(world);
    await cancel(made, taskId);
    await passes(world, 20 * minute, 30_000);
    expect(sends(world, taskId)).toMatchObject([{ cancelled, cancelledAt: null }]);
    expect((await row(world, taskId)).orphans).toBeUndefined();
    expect(total(peer.cancels)).toBe(0);
  });

  it('of two in one context neither is taken for the one', async () => {
    const made = waitingWorld();
    const { world, peer } = made;
    peer.script('send', lost);
    const taskId = await begun(world);
    const [task] = peer.tasks.values();
    if (task === undefined) throw new Error('no task');
    peer.accept(task);
    await cancel(made, taskId);
    await passes(world, 20 * minute, 30_000);
    expect(total(peer.cancels)).toBe(0);
    expect(sends(world, taskId)).toMatchObject([
      { cancelled: 'not cancelled: several tasks found' },
    ]);
  });

  it('whose message was on its way when its worker died and its run ended is found, too', async () => {
    const made = waitingWorld();
    const { world, peer } = made;
    peer.script('send', { kind: 'hold', when: 'after', until: never });
    const { taskId } = await world.send('hello');
    await world.work();
    expect(await row(world, taskId)).toMatchObject({ status: 'running', sending: {} });
    await cancel(made, taskId);
    await passes(world, 10 * minute, 30_000);
    expect([...peer.cancels.values()]).toEqual([1]);
  });

  it('whose answer comes after all while it is looked for is cancelled once', async () => {
    const made = waitingWorld();
    const { world, peer } = made;
    const until = latch();
    peer.script('send', { kind: 'hold', when: 'after', until: until.opened });
    const { taskId } = await world.send('hello');
    await world.work();
    await cancel(made, taskId);
    await world.work();
    until.open();
    await passes(world, 10 * minute, 30_000);
    expect([...peer.cancels.values()]).toEqual([1]);
  });

  it('whose refusal comes after all is looked for no more', async () => {
    const made = waitingWorld();
    const { world, peer } = made;
    const until = latch();
    peer.script('find', { kind: 'error', code: 500 });
    world.app.remotes.send = async () => {
      await until.opened;
      return { kind: 'refused', reason: 'http 403', code: 403 };
    };
    const { taskId } = await world.send('hello');
    await world.work();
    await cancel(made, taskId);
    expect((await row(world, taskId)).orphans).toMatchObject([{ operation: null }]);
    until.open();
    await world.rest();
    expect((await row(world, taskId)).orphans).toBeUndefined();
    expect(sends(world, taskId)).toMatchObject([{ state: 'refused' }]);
  });
});

describe('a cancel while the run waits (G17)', () => {
  it.each<[string, Fault | undefined]>([
    ['it is cancelled', undefined],
    ['it can not be', { kind: 'error', code: -32002 }],
    ['it does not know the task', { kind: 'error', code: -32001 }],
    ['it fails', { kind: 'error', code: 500 }],
    ['it drops the connection', { kind: 'drop', when: 'after' }],
    ['it answers rubbish', { kind: 'malformed' }],
    ['it hangs', { kind: 'hold', when: 'before', until: never }],
  ])('is CANCELED at once and asks the remote once, whatever it says: %s', async (_, fault) => {
    const made = waitingWorld();
    const { world, peer } = made;
    if (fault !== undefined) peer.script('cancel', fault);
    const taskId = await begun(world);
    const answer = await cancel(made, taskId);
    expect(answer).toMatchObject({ status: { state: 'CANCELED' } });
    await passes(world, 10 * minute, 30_000);
    expect(await world.state(taskId)).toBe('CANCELED');
    const reached = fault === undefined || (fault.kind !== 'error' && fault.kind !== 'hold');
    expect(total(peer.cancels)).toBe(reached ? 1 : 0);
    expect(sends(world, taskId)[0]?.cancelledAt).not.toBeNull();
    const ended = await row(world, taskId);
    expect(ended.orphans).toBeUndefined();
    expect(ended).not.toHaveProperty('payloadKey');
  });

  it('that reaches no remote is tried again, five times in all, and left then', async () => {
    const made = waitingWorld();
    const { world, peer } = made;
    const taskId = await begun(world);
    peer.reachable = false;
    await cancel(made, taskId);
    await passes(world, 20_000);
    expect((await row(world, taskId)).orphans).toMatchObject([{ attempts: 2 }]);
    await passes(world, 20 * minute, 30_000);
    expect((await row(world, taskId)).orphans).toBeUndefined();
    expect(sends(world, taskId)).toMatchObject([{ cancelled: 'not_sent: connection refused' }]);
    expect(total(peer.cancels)).toBe(0);
  });

  it('that reaches the remote only later is still one', async () => {
    const made = waitingWorld();
    const { world, peer } = made;
    const taskId = await begun(world);
    peer.reachable = false;
    await cancel(made, taskId);
    await passes(world, 20_000);
    peer.reachable = true;
    await passes(world, 10 * minute, 30_000);
    expect(total(peer.cancels)).toBe(1);
    expect(sends(world, taskId)).toMatchObject([{ cancelled: 'CANCELED' }]);
  });

  it('leaves an earlier task of the run, which could not be reached yet, to be cancelled, too', async () => {
    const made = waitingWorld({ agent: { times: 2 }, remote: { deadline: minute } });
    const { world, peer } = made;
    const taskId = await begun(world);
    // From now on CancelTask gets nowhere, the rest does.
    const below = new MemoryRemoteAgents(peer);
    let away = true;
    world.app.remotes.cancel = (...given) =>
      away ? Promise.resolve({ kind: 'not_sent', reason: 'dns' }) : below.cancel(...given);
    await passes(world, minute + 5_000);
    expect(await suspended(world, taskId)).toMatchObject({ pauseGeneration: 2, orphans: [{}] });
    await cancel(made, taskId);
    expect((await row(world, taskId)).orphans).toHaveLength(2);
    away = false;
    await passes(world, 10 * minute, 30_000);
    expect([...peer.cancels.values()]).toEqual([1, 1]);
    expect((await row(world, taskId)).orphans).toBeUndefined();
  });

  it('is also what a policy leaves that lets nothing be kept', async () => {
    const { world, peer } = waitingWorld();
    const taskId = await begun(world);
    expect(await tightenCeiling(world.app, taskId, { answer: 'none' })).toBe('failed');
    await passes(world, minute);
    expect((await world.get(taskId)).metadata).toEqual({ reason: 'RESULT_NOT_KEPT' });
    expect([...peer.cancels.values()]).toEqual([1]);
    expect(sends(world, taskId)).toMatchObject([{ cancelled: 'CANCELED' }]);
  });

  it('that two coordinators take up at once is sent once', async () => {
    const made = waitingWorld();
    const { world, peer } = made;
    const taskId = await begun(world);
    await cancel(made, taskId);
    const wakeUp = world.queue.find(({ kind }) => kind === 'cancel-remote');
    if (wakeUp === undefined) throw new Error('nothing to cancel');
    await Promise.all([coordinate(world.app, wakeUp), coordinate(world.app, wakeUp)]);
    expect(total(peer.cancels)).toBe(1);
  });

  it('of a task that can not be named any more is noted and given up', async () => {
    const made = waitingWorld();
    const { world, peer } = made;
    const taskId = await begun(world);
    await cancel(made, taskId);
    const ended = await row(world, taskId);
    const orphans = ended.orphans?.map((orphan) => ({ ...orphan, operation: new Uint8Array(40) }));
    await world.app.store.transact(async (tx) => {
      tx.set(writableRun(taskId), { ...ended, ...(orphans && { orphans }) });
    });
    await passes(world, minute);
    expect(sends(world, taskId)).toMatchObject([{ cancelled: 'task unreadable' }]);
    expect(total(peer.cancels)).toBe(0);
  });

  it('of a run that is not waiting any more asks the remote nothing', async () => {
    const made = waitingWorld();
    const { world, peer } = made;
    const taskId = await begun(world);
    peer.settle(openAt(peer)[0] ?? '', 'COMPLETED', 'done');
    await passes(world, minute);
    expect(await world.code(cancel(made, taskId))).toBe('TASK_NOT_CANCELABLE');
    await passes(world, minute);
    expect(total(peer.cancels)).toBe(0);
  });
});

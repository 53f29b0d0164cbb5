import { describe, expect, it } from 'vitest';
import { loadSteps } from '../../shared/app/worker/transcript.ts';
import { sendDoc } from '../../shared/app/records/work-documents.ts';
import { writableRun } from '../../shared/app/change/writable-run.ts';
import { digestOfSend, sendIds } from '../../shared/domain/send.ts';
import { Unavailable } from '../../shared/ports/faults.ts';
import type { RemoteAgents } from '../../shared/ports/remote-agents.ts';
import { rewrapKeys } from '../../shared/app/privacy/rewrap-keys.ts';
import { tightenCeiling } from '../../shared/app/privacy/tighten-ceiling.ts';
import { RotatingSealer } from '../doubles/rotating-sealer.ts';
import { MemoryRemoteAgents } from '../../testing/memory-remote-agents.ts';
import { Peer } from '../../testing/peer.ts';
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
import { latch } from './world.ts';

describe('a send', () => {
  it('is committed before it leaves: owner, remote, run, id and digest (G14)', async () => {
    const looked: unknown[] = [];
    const peer = new Peer();
    const below = new MemoryRemoteAgents(peer);
    const remotes: RemoteAgents = {
      send(remote, outgoing) {
        const all = world.backend.everything().filter(({ path }) => path.includes('/sends/'));
        looked.push(...all.map(({ path, fields }) => ({ path, ...fields })));
        return below.send(remote, outgoing);
      },
      poll: (...given) => below.poll(...given),
      find: (...given) => below.find(...given),
      cancel: (...given) => below.cancel(...given),
    };
    const { world } = waitingWorld({ remotes });
    const { taskId } = await world.send('hello');
    await world.work();
    const ids = sendIds(taskId, 'call-1');
    const parts = [
      {
        kind: 'message',
        message: { messageId: ids.messageId, role: 'user', parts: [{ text: 'Do it.' }] },
      },
    ];
    expect(looked).toMatchObject([
      {
        path: `runs/${taskId}/sends/${ids.messageId}`,
        owner: world.principal.owner,
        remote: 'peer',
        messageId: ids.messageId,
        contextId: ids.contextId,
        digest: digestOfSend(ids, 'peer', parts),
        state: 'prepared',
      },
    ]);
    expect(JSON.stringify(looked)).not.toContain('Do it.');
    expect([...peer.sends]).toEqual([[ids.messageId, 1]]);
  });

  it('of another request under the same id is refused, and nothing leaves', async () => {
    const before = latch();
    const { world, peer, agent } = waitingWorld({ agent: { before: () => before.opened } });
    const { taskId } = await world.send('hello');
    await world.work();
    // Another run's request lies under the id that this call will have.
    const ids = sendIds(taskId, 'call-1');
    const { world: other } = waitingWorld({ agent: { words: 'Something else.' } });
    const model = sends(other, await begun(other))[0];
    if (model === undefined) throw new Error('no send');
    await world.app.store.transact(async (tx) => {
      tx.set(sendDoc(taskId, ids.messageId), { ...model, ...ids, state: 'not_sent' });
    });
    before.open();
    await world.rest();
    expect(agent.seen).toMatchObject([{ value: { status: 'refused' } }]);
    expect(total(peer.sends)).toBe(0);
    expect(await world.state(taskId)).toBe('COMPLETED');
  });

  it('that provably did not leave goes out again under its id, a few times, and then the model is told', async () => {
    const { world, peer, agent } = waitingWorld();
    peer.reachable = false;
    const taskId = await begun(world);
    await passes(world, 1_000, 500);
    expect(sends(world, taskId)).toMatchObject([
      { state: 'not_sent', reason: 'connection refused' },
    ]);
    peer.reachable = true;
    await passes(world, 3_000, 500);
    expect(await suspended(world, taskId)).toMatchObject({ spent: { delegations: 1 } });
    expect([...peer.sends.values()]).toEqual([1]);

    const { world: lonely, peer: gone, agent: alone } = waitingWorld();
    gone.reachable = false;
    const failing = await begun(lonely);
    await passes(lonely, 10_000, 500);
    expect(alone.seen).toMatchObject([
      { value: { status: 'not_sent', reason: 'connection refused' } },
    ]);
    expect(await lonely.state(failing)).toBe('COMPLETED');
    expect(agent.seen).toEqual([]);
  });

  it('that our own configuration keeps from leaving is not tried again, and its send says what to set', async () => {
    const { world, agent } = waitingWorld();
    let tries = 0;
    world.app.remotes.send = () => {
      tries += 1;
      const advice = 'allow its host by --remote-private';
      return Promise.resolve({ kind: 'not_sent', reason: 'not https', advice });
    };
    const taskId = await begun(world);
    expect(tries).toBe(1);
    expect(sends(world, taskId)).toMatchObject([
      { state: 'not_sent', reason: 'not https: allow its host by --remote-private' },
    ]);
    expect(agent.seen).toMatchObject([{ value: { status: 'not_sent', reason: 'not https' } }]);
  });

  it('that meets 429 leaves again when the remote said so, not before', async () => {
    const { world, peer } = waitingWorld();
    peer.script('send', { kind: 'error', code: 429, retryAfterSeconds: 10 });
    const taskId = await begun(world);
    await passes(world, 9_500, 500);
    expect(total(peer.sends)).toBe(0);
    await passes(world, 1_000, 500);
    expect(total(peer.sends)).toBe(1);
    expect(await suspended(world, taskId)).toMatchObject({ dependency: { remote: 'peer' } });
  });

  it('that is refused gives the model the reason', async () => {
    const { world, peer, agent } = waitingWorld();
    peer.script('send', { kind: 'error', code: -32005 });
    const taskId = await begun(world);
    expect(agent.seen).toMatchObject([{ value: { status: 'refused', reason: 'a2a -32005' } }]);
    expect(sends(world, taskId)).toMatchObject([{ state: 'refused' }]);
  });

  it('that is answered at once needs no suspension, also when the answer is a message', async () => {
    const { world, peer, agent } = waitingWorld({
      agent: { times: 2 },
      peer: { begins: 'COMPLETED' },
    });
    peer.script('send', { kind: 'reply', text: 'just so' });
    const taskId = await begun(world);
    expect(agent.seen).toMatchObject([
      { value: { status: 'completed', message: [{ text: 'just so' }] } },
      { value: { status: 'completed' } },
    ]);
    expect(await row(world, taskId)).toMatchObject({ status: 'completed', pauseGeneration: 0 });
  });

  it('that is answered at once by a question is cancelled there, and an error here', async () => {
    const { world, peer, agent } = waitingWorld({ peer: { begins: 'INPUT_REQUIRED' } });
    const taskId = await begun(world);
    await passes(world, 10_000);
    expect(agent.seen).toMatchObject([{ value: { status: 'input-required' } }]);
    expect([...peer.cancels.values()]).toEqual([1]);
    expect((await row(world, taskId)).orphans).toBeUndefined();
  });
});

describe('a run that waits for a remote agent', () => {
  it('holds nothing: no claim, no segment, no timer, no promise (G10)', async () => {
    const { world } = waitingWorld();
    const taskId = await begun(world);
    expect(await suspended(world, taskId)).not.toHaveProperty('claim');
    expect(world.app.segments.size).toBe(0);
    expect(world.clock.waiting).toBe(0);
    expect(await world.state(taskId)).toBe('WORKING');
  });

  it('gets every artifact of the remote, in its order, for exactly the call that waits (G11)', async () => {
    const { world, peer, agent } = waitingWorld();
    const taskId = await begun(world);
    const [task] = peer.tasks.values();
    if (task === undefined) throw new Error('no task');
    task.state = 'COMPLETED';
    task.artifacts = ['one', 'two', 'three'].map((text) => ({
      artifactId: text,
      parts: [{ text }],
    }));
    await passes(world, 20_000);
    expect(agent.seen).toEqual([
      {
        callId: 'call-1',
        value: {
          agent: 'peer',
          status: 'completed',
          artifacts: ['one', 'two', 'three'].map((text) => ({
            artifactId: text,
            parts: [{ text }],
          })),
        },
      },
    ]);
    expect(agent.asked.get('call-1')).toBe(1);
    expect(await world.state(taskId)).toBe('COMPLETED');
    expect(total(peer.cancels)).toBe(0);
  });

  it('keeps its transcript and what the client wrote when its answers are tightened to redacted text', async () => {
    const { world, peer, agent } = waitingWorld();
    const { taskId } = await world.send('my-secret-word');
    await world.work();
    await tightenCeiling(world.app, taskId, { answer: 'redacted' });
    const [open] = openAt(peer);
    peer.settle(open ?? '', 'COMPLETED', 'done');
    await passes(world, 20_000);
    expect(agent.seen).toMatchObject([{ value: { status: 'completed' } }]);
    expect(await world.state(taskId)).toBe('COMPLETED');
  });

  it('goes on after its key was wrapped anew', async () => {
    const sealer = new RotatingSealer();
    const { world, peer, agent } = waitingWorld({ sealer });
    await begun(world);
    sealer.rotate();
    expect(await rewrapKeys(world.app)).toMatchObject({ rewrapped: 1 });
    peer.settle(openAt(peer)[0] ?? '', 'COMPLETED', 'done');
    await passes(world, 20_000);
    expect(agent.seen).toMatchObject([{ value: { status: 'completed' } }]);
  });

  it('can read nothing of its work any more when it has ended', async () => {
    const { world, peer } = waitingWorld();
    const taskId = await begun(world);
    const waiting = await suspended(world, taskId);
    expect(await loadSteps(world.app, { run: waiting })).toHaveLength(1);
    peer.settle(openAt(peer)[0] ?? '', 'COMPLETED', 'done');
    await passes(world, 20_000);
    const ended = await row(world, taskId);
    expect(ended).not.toHaveProperty('payloadKey');
    await expect(loadSteps(world.app, { run: ended })).rejects.toThrow(/can't be read/);
  });
});

describe('an answer that comes late', () => {
  /** The remote takes a message, and its answer is held back. */
  async function held(options: Parameters<typeof waitingWorld>[0] = {}) {
    const answer = latch();
    const made = waitingWorld(options);
    made.peer.script('send', { kind: 'hold', when: 'after', until: answer.opened });
    const taskId = await begun(made.world);
    return { ...made, answer, taskId };
  }

  it('to a run that was cancelled meanwhile has the remote task cancelled, once', async () => {
    const { world, peer, answer, taskId } = await held();
    await world.service.cancel(world.principal, taskId);
    answer.open();
    await world.rest();
    await passes(world, 10_000);
    expect([...peer.cancels.values()]).toEqual([1]);
    const ended = await row(world, taskId);
    expect(ended.status).toBe('cancelled');
    expect(ended).not.toHaveProperty('payloadKey');
    expect(sends(world, taskId)).toMatchObject([{ state: 'acknowledged', cancelled: 'CANCELED' }]);
  });

  it('to a worker that handed its run back is found by the next one: no unknown outcome, no second send', async () => {
    const { world, peer, answer, agent, taskId } = await held({ peer: { canList: false } });
    world.app.segments.stopAll('shutdown');
    await world.rest();
    expect((await row(world, taskId)).status).toBe('queued');
    answer.open();
    await world.rest();
    await world.work();
    expect(await suspended(world, taskId)).not.toMatchObject({ dependency: { operation: null } });
    expect(sends(world, taskId)).toMatchObject([{ state: 'acknowledged' }]);
    peer.settle(openAt(peer)[0] ?? '', 'COMPLETED', 'done');
    await passes(world, 30_000);
    expect(agent.seen).toMatchObject([{ value: { status: 'completed' } }]);
    expect([...peer.sends.values()]).toEqual([1]);
  });

  it('to a run that waits already for the unknown outcome of that send settles it', async () => {
    const { world, peer, answer, agent, taskId } = await held({ peer: { canList: false } });
    world.app.segments.stopAll('shutdown');
    await world.rest();
    await world.work();
    expect(await suspended(world, taskId)).toMatchObject({ dependency: { operation: null } });
    expect(sends(world, taskId)).toMatchObject([
      { state: 'outcome_unknown', reason: 'worker lost' },
    ]);
    answer.open();
    await world.rest();
    peer.settle(openAt(peer)[0] ?? '', 'COMPLETED', 'done');
    await passes(world, 10_000);
    expect(agent.seen).toMatchObject([{ value: { status: 'completed' } }]);
    expect([...peer.sends.values()]).toEqual([1]);
  });

  it.each([
    ['a refusal', { kind: 'error', code: -32005 }, 'refused', 'refused'],
    ['a message', { kind: 'reply', text: 'just so' }, 'completed', 'acknowledged'],
  ] as const)('that is %s resolves the wait for it', async (_, fault, status, state) => {
    const made = waitingWorld({ peer: { canList: false } });
    const { world, agent } = made;
    const answer = latch();
    const below = new MemoryRemoteAgents(made.peer);
    made.peer.script('send', fault);
    world.app.remotes.send = async (...given) => {
      const outcome = await below.send(...given);
      await answer.opened;
      return outcome;
    };
    const taskId = await begun(world);
    world.app.segments.stopAll('shutdown');
    await world.rest();
    await world.work();
    expect(await suspended(world, taskId)).toMatchObject({ dependency: { operation: null } });
    answer.open();
    await world.rest();
    await world.work();
    expect(agent.seen).toMatchObject([{ value: { status } }]);
    expect(sends(world, taskId)).toMatchObject([{ state }]);
    expect(await world.state(taskId)).toBe('COMPLETED');
  });

  it('to a run that has given up waiting has the remote task cancelled', async () => {
    const { world, peer, answer, agent } = await held({
      peer: { canList: false },
      remote: { deadline: minute },
    });
    world.app.segments.stopAll('shutdown');
    await world.rest();
    await passes(world, 2 * minute);
    expect(agent.seen).toMatchObject([{ value: { status: 'timeout' } }]);
    expect(total(peer.cancels)).toBe(0);
    answer.open();
    await world.rest();
    await passes(world, 10_000);
    expect([...peer.cancels.values()]).toEqual([1]);
  });
});

describe('what can not be read', () => {
  it.each(['pauses', 'steps'])('in %s ends the run, and says so (G24)', async (collection) => {
    const { world, peer } = waitingWorld();
    const taskId = await begun(world);
    for (const { path, fields } of world.backend.all(`runs/${taskId}/${collection}`)) {
      const broken = { ...fields, content: new Uint8Array(40) };
      await world.backend.commit([], [{ path, fields: broken, expect: 'any' }]);
    }
    peer.settle(openAt(peer)[0] ?? '', 'COMPLETED', 'done');
    await passes(world, 30_000);
    const ended = await row(world, taskId);
    expect(ended).toMatchObject({ status: 'failed', reason: 'STATE_UNREADABLE' });
    expect((await world.get(taskId)).metadata).toEqual({ reason: 'STATE_UNREADABLE' });
  });

  it('in a row whose key is gone ends the run, too', async () => {
    const { world } = waitingWorld();
    const taskId = await begun(world);
    const waiting = await suspended(world, taskId);
    await world.app.store.transact(async (tx) => {
      tx.set(writableRun(taskId), { ...waiting, wrappedKey: new Uint8Array(60) });
    });
    await passes(world, 30_000);
    expect(await row(world, taskId)).toMatchObject({
      status: 'failed',
      reason: 'STATE_UNREADABLE',
    });
  });

  it('just now costs a try of the wake-up, no more', async () => {
    let away = false;
    const { world, peer, agent } = waitingWorld({
      wrap: (backend) => ({
        read: (paths) => {
          if (away) return Promise.reject(new Unavailable('the store'));
          return backend.read(paths);
        },
        commit: (...given) => backend.commit(...given),
        query: (...given) => backend.query(...given),
        count: (query) => backend.count(query),
        follow: (...given) => backend.follow(...given),
        watch: (path, signal) => backend.watch(path, signal),
        close: () => backend.close(),
      }),
    });
    const taskId = await begun(world);
    peer.settle(openAt(peer)[0] ?? '', 'COMPLETED', 'done');
    away = true;
    await passes(world, 30_000);
    away = false;
    await passes(world, 2 * minute);
    expect(agent.seen).toMatchObject([{ value: { status: 'completed' } }]);
    expect(await world.state(taskId)).toBe('COMPLETED');
  });
});

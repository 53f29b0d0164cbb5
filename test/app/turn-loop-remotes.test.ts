import { describe, expect, it } from 'vitest';
import { call, type Scripted, ScriptedModel } from '../../testing/scripted-model.ts';
import { MemoryRemoteAgents } from '../../testing/memory-remote-agents.ts';
import { Peer } from '../../testing/peer.ts';
import { remoteAt } from '../fixtures/remotes/remote.ts';
import {
  decide,
  everythingGranted,
  finish,
  modelAgent,
  type Ran,
  rowOf,
} from './turn-loop-world.ts';
import { World } from './world.ts';

const grants = everythingGranted;
const look = call('look', { at: 'a' });
const ask = (message: string) => call('peer', { message, data: { n: 1 } });

async function begun(peer: Peer, script: readonly Scripted[], approval = false) {
  const ran: Ran[] = [];
  const model = new ScriptedModel(...script);
  const remotes = [
    remoteAt('https://peer.example/card', { approval }),
    remoteAt('https://other.example/card', { name: 'other' }),
  ];
  const agent = modelAgent(model, ran, { remotes });
  const world = new World(agent, { remotes: new MemoryRemoteAgents(peer), grants });
  const { taskId } = await world.send('go');
  await finish(world);
  return { ran, model, world, taskId };
}

describe('a turn that delegates (G13)', () => {
  it.each<[string, readonly ReturnType<typeof call>[]]>([
    ['and does something else', [ask('x'), look]],
    ['after something else', [look, ask('x')]],
    ['twice', [ask('x'), call('other', { message: 'y' })]],
    ['and calls what there is not', [call('sing'), ask('x')]],
    ['and pays', [call('pay', { at: 'x' }), ask('x')]],
  ])('%s is rejected before any of it runs, and the loop goes on', async (_what, calls) => {
    const peer = new Peer();
    const { model, ran, taskId, world } = await begun(peer, [{ calls }, { text: 'instead' }]);
    expect(peer.sends.size).toBe(0);
    expect(ran).toEqual([]);
    expect(model.seen.slice(2)).toMatchObject(
      calls.map(({ name }) => ({ role: 'tool', name, status: 'error' })),
    );
    expect(await world.state(taskId)).toBe('COMPLETED');
    const spent = { rounds: 2, delegations: 0, bytes: 0 };
    expect((await rowOf(world, taskId)).spent).toMatchObject(spent);
  });

  it('alone leaves once, and the run waits without a lease', async () => {
    const peer = new Peer();
    const { taskId, world } = await begun(peer, [{ calls: [ask('please')] }]);
    const [task] = peer.tasks.values();
    expect(task?.parts).toEqual([{ text: 'please' }, { data: { n: 1 } }]);
    const row = await rowOf(world, taskId);
    expect(row).toMatchObject({
      status: 'waiting_for_dependency',
      spent: { rounds: 1, delegations: 1 },
    });
    expect(row).not.toHaveProperty('claim');
    expect(await world.state(taskId)).toBe('WORKING');
  });

  it('resumes with the result of the remote, and does not send again', async () => {
    const peer = new Peer();
    const { model, taskId, world } = await begun(peer, [
      { calls: [ask('please')] },
      { text: 'thanks' },
    ]);
    peer.settle('remote-task-1', 'COMPLETED', 'the answer');
    await world.clock.advance(20_000);
    await finish(world);
    expect(await world.state(taskId)).toBe('COMPLETED');
    expect(model.seen[2]).toMatchObject({
      role: 'tool',
      name: 'peer',
      status: 'ok',
      value: { agent: 'peer', status: 'completed' },
    });
    expect(JSON.stringify(model.seen[2])).toContain('the answer');
    expect([...peer.sends.values()]).toEqual([1]);
  });

  it('that is answered at once goes on in the same segment', async () => {
    const peer = new Peer();
    peer.script('send', { kind: 'reply', text: 'here you are' });
    const { model, taskId, world } = await begun(peer, [{ calls: [ask('please')] }]);
    expect(await world.state(taskId)).toBe('COMPLETED');
    expect(JSON.stringify(model.seen[2])).toContain('here you are');
    expect(await rowOf(world, taskId)).toMatchObject({ fence: 1 });
  });

  it('that is refused is an error result', async () => {
    const peer = new Peer();
    peer.script('send', { kind: 'error', code: -32602 });
    const { model, taskId, world } = await begun(peer, [{ calls: [ask('please')] }]);
    expect(await world.state(taskId)).toBe('COMPLETED');
    expect(model.seen[2]).toMatchObject({ role: 'tool', status: 'error' });
  });

  it('over its limit ends the run with a reason that names it, and does not leave', async () => {
    const peer = new Peer();
    for (let n = 0; n < 9; n += 1) peer.script('send', { kind: 'reply', text: 'more' });
    const script = Array.from({ length: 9 }, (_, n) => ({ calls: [ask(`number ${n}`)] }));
    const { taskId, world } = await begun(peer, script);
    expect(peer.sends.size).toBe(5);
    expect(await world.get(taskId)).toMatchObject({
      status: { state: 'FAILED' },
      metadata: { reason: 'DELEGATIONS_EXCEEDED' },
    });
  });

  it('needs an approval where its remote says so, and leaves after it', async () => {
    const peer = new Peer();
    const { taskId, world } = await begun(peer, [{ calls: [ask('a secret')] }], true);
    const task = await world.get(taskId);
    expect(task.status.state).toBe('AUTH_REQUIRED');
    expect(JSON.stringify(task)).not.toContain('a secret');
    expect(peer.sends.size).toBe(0);
    await decide(world, taskId, 'approve');
    await finish(world);
    expect(peer.sends.size).toBe(1);
    expect((await rowOf(world, taskId)).status).toBe('waiting_for_dependency');
  });

  it('that was denied does not leave', async () => {
    const peer = new Peer();
    const { taskId, world } = await begun(peer, [{ calls: [ask('please')] }], true);
    await decide(world, taskId, 'deny');
    await finish(world);
    expect(peer.sends.size).toBe(0);
    expect(await world.state(taskId)).toBe('COMPLETED');
  });
});

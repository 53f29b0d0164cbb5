import { describe, expect, it } from 'vitest';
import { MemoryRemoteAgents } from '../../testing/memory-remote-agents.ts';
import { Peer } from '../../testing/peer.ts';
import delegating from '../fixtures/agents/delegating.ts';
import { decide, everythingGranted, finish } from './turn-loop-world.ts';
import { World } from './world.ts';

describe('the agent that does what its message says, in turns', () => {
  it('meets every kind of call', async () => {
    const peer = new Peer();
    peer.script('send', { kind: 'reply', text: 'done' });
    const remotes = new MemoryRemoteAgents(peer);
    const world = new World(delegating, { remotes, grants: everythingGranted });
    const words = 'look a & note b; nothing; pay c & broken d; erase e; choose f; peer please';
    const { taskId } = await world.send(words);
    await finish(world);
    await decide(world, taskId, 'approve');
    await finish(world);
    await world.trySend([{ data: { n: 2 } }], { taskId });
    await finish(world);
    const task = await world.get(taskId);
    expect(task).toMatchObject({
      status: { state: 'COMPLETED', message: { parts: [{ text: '7 results, 1 of them errors' }] } },
    });
    expect(task.artifacts[0]?.parts).toMatchObject([
      {
        data: [
          { tool: 'look', at: 'a' },
          { tool: 'note', at: 'b' },
          { tool: 'pay', at: 'c' },
          { error: 'broken as asked: d' },
          { tool: 'erase', at: 'e' },
          { tool: 'choose', at: 'f', input: { n: 2 } },
          { agent: 'peer', status: 'completed' },
        ],
      },
    ]);
  });
});

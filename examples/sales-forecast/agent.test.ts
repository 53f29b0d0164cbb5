import { expect, it } from 'vitest';
import { finish, rowOf } from '../../test/app/turn-loop-world.ts';
import { World } from '../../test/app/world.ts';
import { MemoryRemoteAgents } from '../../testing/memory-remote-agents.ts';
import { Peer } from '../../testing/peer.ts';
import type { Json } from '../../shared/domain/json.ts';
import agent from './agent.ts';

/** A forecaster that is at work until the test says what it answers. */
async function asked(text: string) {
  const peer = new Peer();
  const world = new World(agent, { remotes: new MemoryRemoteAgents(peer) });
  const { taskId } = await world.send(text);
  await finish(world);
  const settled = async (state: 'COMPLETED' | 'FAILED', ...data: readonly Json[]) => {
    const [remote] = peer.tasks.values();
    if (remote === undefined) throw new Error('the forecaster was not asked');
    peer.settle(remote.taskId, state);
    remote.artifacts = data.map((each) => ({ artifactId: 'forecast', parts: [{ data: each }] }));
    await world.clock.advance(10_000);
    await finish(world);
    const { artifacts, status } = await world.get(taskId);
    const said = status.message?.parts.map((part) => ('text' in part ? part.text : ''));
    return { artifacts, said: `${status.state}: ${said?.join('')}` };
  };
  return { peer, settled, taskId, world };
}

const month = (expected: number) => ({ expected, low: expected - 1, high: expected + 1 });

it('the figures go to the forecaster once, and its forecast comes back', async () => {
  const { peer, settled, taskId, world } = await asked('10, 12.5 and 15');
  expect((await rowOf(world, taskId)).status).toBe('waiting_for_dependency');
  const { artifacts, said } = await settled('COMPLETED', { forecast: [17, 19, 21].map(month) });
  expect(said).toBe('COMPLETED: The next 3 months: 17 (16 to 18), 19 (18 to 20), 21 (20 to 22).');
  expect(artifacts.map(({ name }) => name)).toEqual(['forecast']);
  expect([...peer.tasks.values()].map(({ parts }) => parts)).toEqual([
    [{ data: { sales: [10, 12.5, 15], months: 3 } }],
  ]);
});

it('what is no forecast fails the task, and says so', async () => {
  const other = await asked('1 2 3');
  expect((await other.settled('COMPLETED', { weather: 'fine' })).said).toBe(
    'FAILED: The forecaster answered without a forecast.',
  );
  const failed = await asked('1 2 3');
  expect((await failed.settled('FAILED')).said).toBe(
    "FAILED: No forecast: the forecaster's answer is failed.",
  );
});

it('too few figures are asked about once', async () => {
  const { peer, taskId, world } = await asked('10 and 12');
  expect(await world.state(taskId)).toBe('INPUT_REQUIRED');
  await world.trySend([{ text: 'still 10' }], { taskId });
  await finish(world);
  expect(await world.state(taskId)).toBe('REJECTED');
  expect(peer.tasks.size).toBe(0);
});

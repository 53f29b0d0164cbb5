import { afterEach, expect, it } from 'vitest';
import { pollSooner } from '../../shared/app/delegation/poll-sooner.ts';
import { row } from '../app/waiting.ts';
import { World } from '../app/world.ts';
import { delegatingAgent } from '../doubles/delegating-agent.ts';
import { edgeServer } from '../edge/edge-server.ts';
import { remoteAt } from '../fixtures/remotes/remote.ts';
import { adapter } from '../fixtures/remotes/scripted-remote.ts';
import { startSdkServer } from '../fixtures/remotes/sdk-server.ts';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

it.each(['JSONRPC', 'HTTP+JSON'] as const)(
  "the SDK's server over %s pushes when its task ends, and the run goes on long before its first look",
  async (binding) => {
    const other = await startSdkServer(binding, '1.0', true);
    let pushes = 0;
    const onPush = async (token: string) => {
      await pollSooner(world.app, token);
      pushes += 1;
    };
    const edge = await edgeServer({ onPush });
    closing.push(
      () => other.close(),
      () => edge.close(),
    );
    const remote = remoteAt(other.card, { push: true });
    const agent = delegatingAgent({ remote, words: 'work' });
    const world = new World(agent, { remotes: adapter().agents, baseUrl: edge.url });
    const { taskId } = await world.send('hello');
    await world.work();
    const status = async () => (await row(world, taskId)).status;
    await expect.poll(status, { timeout: 10_000 }).toBe('waiting_for_dependency');
    other.finish();
    // One that it has begun, one that it has ended; the second look keeps its distance from the
    // first.
    await expect.poll(() => pushes, { timeout: 10_000 }).toBe(2);
    await world.work();
    await world.clock.advance(world.app.settings.pollMin);
    const goesOn = async () => {
      await world.work();
      return status();
    };
    await expect.poll(goesOn, { timeout: 10_000 }).toBe('completed');
    expect(agent.seen).toMatchObject([{ value: { agent: 'peer', status: 'completed' } }]);
  },
);

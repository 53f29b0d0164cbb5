import { expect, it, onTestFinished } from 'vitest';
import { keeperWith } from '../../examples/stock-keeper/agent.ts';
import { rules } from '../../examples/stock-keeper/rules.ts';
import { type LanguageModel, type Model, textOf } from '../../shared/agent/index.ts';
import { createToolServers } from '../../shared/mcp/tool-servers.ts';
import type { ToolServers } from '../../shared/ports/tool-servers.ts';
import { systemClock } from '../../shared/system/system-clock.ts';
import { createGoogleGenerativeAI } from '@ai-sdk/google';
import { decide, everythingGranted, heldOf } from '../app/turn-loop-world.ts';
import { World } from '../app/world.ts';
import { gemini } from '../doubles/providers/gemini.ts';
import { ProviderServer } from '../doubles/providers/provider-server.ts';

function stock(): ToolServers {
  const servers = createToolServers({
    secrets: () => undefined,
    allowPrivate: false,
    environment: process.env,
    clock: systemClock,
    log: { write: () => undefined },
  });
  onTestFinished(() => servers.close());
  return servers;
}

async function asked(text: string, model: Model | LanguageModel = rules) {
  const world = new World(keeperWith(model), { toolServers: stock(), grants: everythingGranted });
  const { taskId } = await world.send(text);
  // Its child takes its time.
  const comesTo = (state: string) =>
    expect.poll(() => world.work().then(() => world.state(taskId))).toBe(state);
  const said = async () => {
    const { message } = (await world.get(taskId)).status;
    return message === undefined ? '' : textOf(message);
  };
  return { comesTo, said, taskId, world };
}

it('the keeper counts without an approval', async () => {
  const { comesTo, said } = await asked('count lamp');
  await comesTo('COMPLETED');
  expect(await said()).toBe('4 × lamp left.');
});

it('the keeper takes once that is approved, and says whom it asks for what', async () => {
  const { comesTo, said, taskId, world } = await asked('take 3 lamp');
  await comesTo('AUTH_REQUIRED');
  expect(await heldOf(world, taskId)).toMatchObject({
    held: { calls: [{ tool: 'stock_take', summary: 'Take 3 × lamp.' }] },
  });
  await decide(world, taskId, 'approve');
  await comesTo('COMPLETED');
  expect(await said()).toBe('1 × lamp left.');
});

it('what the stock does not have is said in its own words', async () => {
  const { comesTo, said, taskId, world } = await asked('take 3 chair');
  await comesTo('AUTH_REQUIRED');
  await decide(world, taskId, 'approve');
  await comesTo('COMPLETED');
  expect(await said()).toBe('There are only 0 of chair.');
});

it('with a key the keeper is Gemini, and the stock is the same', async () => {
  const server = new ProviderServer(gemini, [
    { calls: [{ name: 'stock_count', input: { article: 'lamp' } }] },
    { text: 'There are 4 lamps.' },
  ]);
  onTestFinished(() => server.stop());
  const google = createGoogleGenerativeAI({ apiKey: 'test-key', baseURL: await server.start() });
  const { comesTo, said } = await asked('Any lamps?', google('gemini-3-pro-preview'));
  await comesTo('COMPLETED');
  expect(await said()).toBe('There are 4 lamps.');
  expect(server.refused).toEqual([]);
});

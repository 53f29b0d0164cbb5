import { createWorld, ScriptedToolServer } from 'holdfast/testing';
import { expect, it } from 'vitest';
import agent from './agent.ts';
import { WHAT_I_DO } from './rules.ts';

const left = (count: number) =>
  ({
    kind: 'answered',
    failed: false,
    content: [],
    structured: { article: 'lamp', left: count },
  }) as const;

/** The server in server.ts, as far as the keeper can tell; test/mcp has it as it is. */
async function asked(words: string, away?: string) {
  const stock = new ScriptedToolServer()
    .offer({ name: 'count', readOnly: true }, left(4))
    .offer({ name: 'take' }, left(1));
  stock.away = away;
  const world = createWorld({ agents: [agent], mcp: { stock } });
  const { taskId } = await world.send(words);
  return { stock, world, taskId, task: () => world.get(taskId) };
}

it('counts without an approval', async () => {
  const { stock, task } = await asked('count lamp');
  expect((await task()).text).toBe('4 × lamp left.');
  expect(stock.calls).toEqual([{ tool: 'count', given: { article: 'lamp' } }]);
});

it('takes once that is approved, and says whom it asks for what', async () => {
  const { stock, task, taskId, world } = await asked('take 3 lamp');
  expect((await world.operator.inbox())[0]?.calls).toMatchObject([
    { tool: 'stock_take', summary: 'Take 3 × lamp.' },
  ]);
  expect(stock.calls).toEqual([]);
  await world.approve(taskId);
  expect(await task()).toMatchObject({ state: 'COMPLETED', text: '1 × lamp left.' });
  await world.close();
});

it('says so where the stock is away, and costs no task', async () => {
  const { task } = await asked('count lamp', 'it is closed');
  expect(await task()).toMatchObject({ state: 'COMPLETED', text: 'The stock can’t be asked now.' });
});

it('does not guess at what it does not understand', async () => {
  const { stock, task } = await asked('hello');
  expect([(await task()).text, stock.calls]).toEqual([WHAT_I_DO, []]);
});

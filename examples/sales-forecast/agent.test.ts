import { expect, it } from 'vitest';
import { createWorld, type RemoteScript, ScriptedRemote } from 'holdfast/testing';
import agent from './agent.ts';

async function asked(text: string, script: RemoteScript) {
  const forecaster = new ScriptedRemote({ after: '20 s', ...script });
  const world = createWorld({ agents: [agent], remotes: { forecaster } });
  const sent = await world.send(text);
  return { forecaster, sent, world, settled: () => world.settled(sent.taskId) };
}

const month = (expected: number) => ({ expected, low: expected - 1, high: expected + 1 });
const forecast = { forecast: [17, 19, 21].map(month) };

it('the figures go to the forecaster once, and its forecast comes back', async () => {
  const { forecaster, sent, settled, world } = await asked('10, 12.5 and 15', {
    answer: [{ data: forecast }],
  });
  expect(sent).toMatchObject({
    state: 'WORKING',
    text: 'The forecaster has the sales of 3 months.',
  });
  const { artifacts, state, text } = await settled();
  expect([state, text]).toEqual([
    'COMPLETED',
    'The next 3 months: 17 (16 to 18), 19 (18 to 20), 21 (20 to 22).',
  ]);
  expect(artifacts.map(({ name }) => name)).toEqual(['forecast']);
  expect([...forecaster.tasks.values()].map(({ parts }) => parts)).toEqual([
    [{ data: { sales: [10, 12.5, 15], months: 3 } }],
  ]);
  await world.close();
});

it('what is no forecast fails the task, and says so', async () => {
  const other = await asked('1 2 3', { answer: [{ data: { weather: 'fine' } }] });
  expect(await other.settled()).toMatchObject({
    state: 'FAILED',
    text: 'The forecaster answered without a forecast.',
  });
  const failed = await asked('1 2 3', { ends: 'FAILED' });
  expect((await failed.settled()).text).toBe("No forecast: the forecaster's answer is failed.");
});

it('too few figures are asked about once', async () => {
  const { forecaster, sent, world } = await asked('10 and 12', {});
  expect(sent.state).toBe('INPUT_REQUIRED');
  expect((await world.answer(sent.taskId, 'still 10')).state).toBe('REJECTED');
  expect(forecaster.tasks.size).toBe(0);
});

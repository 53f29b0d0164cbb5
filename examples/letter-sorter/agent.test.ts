import { expect, it, onTestFinished } from 'vitest';
import { createWorld } from 'holdfast/testing';
import { anthropic } from '../../test/doubles/providers/anthropic.ts';
import { gemini } from '../../test/doubles/providers/gemini.ts';
import { ProviderServer, type Scripted } from '../../test/doubles/providers/provider-server.ts';
import { sorterWith } from './agent.ts';
import { modelsOf } from './models.ts';

const LETTER = 'I ordered a lamp three weeks ago. It has not arrived. Please hurry!';
const SORTED = { topic: 'order', urgent: true, summary: 'A lamp did not arrive.' };
const KEYS = { GOOGLE_GENERATIVE_AI_API_KEY: 'google-key', ANTHROPIC_API_KEY: 'anthropic-key' };

const WITH_ADDRESS = { ...SORTED, summary: 'A lamp did not arrive at ada@example.com.' };

async function sortedBy(first: readonly Scripted[], second: readonly Scripted[]) {
  const [google, claude] = [
    new ProviderServer(gemini, first),
    new ProviderServer(anthropic, second),
  ];
  onTestFinished(async () => {
    await google.stop();
    await claude.stop();
  });
  const addresses = { google: await google.start(), anthropic: await claude.start() };
  const world = createWorld({ agents: [sorterWith(modelsOf(KEYS, addresses))] });
  return { google, claude, task: await world.send(LETTER) };
}

const data = (value: unknown) => ({ parts: [{ data: value, mediaType: 'application/json' }] });

it('the first model answers, and its answer is data', async () => {
  const { claude, google, task } = await sortedBy([{ text: JSON.stringify(WITH_ADDRESS) }], []);
  expect(task.status).toMatchObject({ state: 'COMPLETED', message: data(WITH_ADDRESS) });
  // The ceiling of a model that is not asked means nothing.
  expect([google.refused, claude.requests.length]).toEqual([[], 0]);
});

it('an answer that does not fit is told to the model, which mends it', async () => {
  const late = { ...SORTED, topic: 'delivery' };
  const { google, task } = await sortedBy(
    [{ text: JSON.stringify(late) }, { text: JSON.stringify(SORTED) }],
    [],
  );
  expect(task.status).toMatchObject({ state: 'COMPLETED', message: data(SORTED) });
  expect(google.requests).toHaveLength(2);
});

it('the second model answers when the first one is away, under its own ceiling', async () => {
  const { claude, task } = await sortedBy(
    [{ status: 503 }],
    [{ text: JSON.stringify(WITH_ADDRESS) }],
  );
  expect(task.status.state).toBe('COMPLETED');
  expect(JSON.stringify(task.status.message)).not.toContain('ada@example.com');
  expect(JSON.stringify(task.status.message)).toContain('A lamp did not arrive at ');
  expect(claude.refused).toEqual([]);
});

it.each([
  [LETTER, { topic: 'order', urgent: true, summary: 'I ordered a lamp three weeks ago.' }],
  ['The lamp is broken.', { topic: 'complaint', urgent: false, summary: 'The lamp is broken.' }],
  ['Hello', { topic: 'other', urgent: false, summary: 'Hello' }],
])('without a key words sort %j', async (letter, wanted) => {
  const world = createWorld({ agents: [sorterWith(modelsOf({}))] });
  expect((await world.send(letter)).status).toMatchObject({
    state: 'COMPLETED',
    message: data(wanted),
  });
});

import { describe, expect, it } from 'vitest';
import type { Scripted } from '../doubles/providers/provider-server.ts';
import { rowOf, stepsOf } from '../app/turn-loop-world.ts';
import { answered, asked } from './asking.ts';
import { PROVIDERS } from './providers.ts';

const WEEK = 7 * 24 * 60 * 60 * 1_000;

const MODES = Object.entries(PROVIDERS).flatMap(([name, provider]) =>
  [false, true].map((stream) => ({ name, provider, stream })),
);

describe.each(MODES)('$name, stream: $stream', ({ name, provider, stream }) => {
  const go = [{ text: 'go' }];
  const ask = (script: readonly Scripted[]) => asked(provider, script, go, { stream });

  it('a run of several turns keeps every rule of the provider, also after a week of waiting', async () => {
    const { ran, server, taskId, world } = await ask([
      {
        thought: 'I look at both.',
        calls: [
          { name: 'look', input: { at: 'a' } },
          { name: 'look', input: { at: 'nowhere' } },
        ],
      },
      { thought: 'Now I choose.', calls: [{ name: 'choose', input: { at: 'c' } }] },
      { text: 'All is well.' },
    ]);
    expect(server.refused).toEqual([]);
    expect(await world.state(taskId)).toBe('INPUT_REQUIRED');
    await world.clock.advance(WEEK);
    await world.trySend([{ data: { n: 2 } }], { taskId });
    await answered(world, taskId);
    expect(server.refused).toEqual([]);
    const parts = [{ text: 'All is well.' }];
    expect(await world.get(taskId)).toMatchObject({
      status: { state: 'COMPLETED', ...(!stream && { message: { parts } }) },
      artifacts: stream ? [{ artifactId: 'answer', parts }] : [],
    });
    expect(ran).toEqual([
      { name: 'look', at: 'a' },
      { name: 'look', at: 'nowhere' },
      { name: 'choose', at: 'c' },
    ]);
    const sent = JSON.stringify(server.requests.at(-1)?.body);
    expect(sent).toContain('Be brief.');
    expect(sent).toContain('The tool failed.');
    expect(sent).not.toContain('secret');
    const { spent } = await rowOf(world, taskId);
    expect(spent).toMatchObject({ rounds: 3, tokens: 3 * 125 });
  });

  it('keeps the tokens of a turn apart, by the model that made it', async () => {
    const { taskId, world } = await ask([{ calls: [{ name: 'choose', input: { at: 'c' } }] }]);
    const [, turn] = await stepsOf(world, taskId);
    expect(turn).toMatchObject({
      kind: 'turn',
      by: expect.stringMatching(/\S \S/) as unknown,
      usage: {
        input: 100,
        output: 25,
        cached: 40,
        ...(provider.reasons && { reasoning: 5 }),
      },
    });
  });

  it('a call with arguments that are no JSON gets an error result, and the run goes on', async () => {
    // Gemini and Anthropic send arguments as objects, so theirs can't be broken.
    const chat = name.includes('openai');
    const input = chat ? '{"at": ' : { at: 7 };
    const { ran, server, taskId, world } = await ask([
      { thought: 'Hm.', calls: [{ name: 'look', input }] },
      { text: 'Sorry.' },
    ]);
    expect(server.refused).toEqual([]);
    expect(ran).toEqual([]);
    expect(await world.state(taskId)).toBe('COMPLETED');
  });

  it('a request that it refuses ends the run at once, and says so to the author', async () => {
    const body = provider.protocol.error('the key is wrong');
    const { server, taskId, world } = await ask([{ status: 401, body }]);
    expect(server.requests).toHaveLength(1);
    const task = await world.get(taskId);
    expect(task).toMatchObject({
      status: { state: 'FAILED', message: { parts: [{ text: 'The agent failed.' }] } },
      metadata: { reason: 'AGENT_FAILED', fault: 'MODEL_FAULT' },
    });
    expect(JSON.stringify(task)).not.toContain('key');
    const said = { where: 'model', fault: 'ModelFault', status: 401 };
    expect(world.logged).toContainEqual(
      expect.objectContaining({
        event: 'agent error',
        fields: expect.objectContaining(said) as unknown,
      }),
    );
  });

  it.each<[string, Scripted, number]>([
    ['too many requests', { status: 429, headers: { 'Retry-After': '300' } }, 300_000],
    ['an outage', { status: 503, headers: { 'Retry-After': '20' } }, 20_000],
    ['an answer that is cut off', 'cut', 60_000],
  ])(
    '%s is waited for without a worker, and the turn is made again',
    async (_what, fault, wait) => {
      const { server, taskId, world } = await ask([fault, { text: 'there' }]);
      expect(server.requests).toHaveLength(1);
      expect(await rowOf(world, taskId)).toMatchObject({ status: 'queued', attempts: 1 });
      await world.clock.advance(wait - 1_000);
      await answered(world, taskId);
      if (fault !== 'cut') expect(server.requests).toHaveLength(1);
      await world.clock.advance(1_000);
      await answered(world, taskId);
      expect(await world.state(taskId)).toBe('COMPLETED');
      expect(server.requests).toHaveLength(2);
    },
  );
});

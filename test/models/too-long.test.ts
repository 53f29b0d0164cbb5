import { describe, expect, it } from 'vitest';
import type { Summary } from '../../shared/domain/step.ts';
import type { JsonObject } from '../../shared/agent/index.ts';
import { anthropic } from '../doubles/providers/anthropic.ts';
import { gemini } from '../doubles/providers/gemini.ts';
import { openAiChat } from '../doubles/providers/openai-chat.ts';
import { openAiResponses } from '../doubles/providers/openai-responses.ts';
import type { Protocol, Said } from '../doubles/providers/provider-server.ts';
import { stepsOf } from '../app/turn-loop-world.ts';
import { answered, asked } from './asking.ts';
import { PROVIDERS } from './providers.ts';

const WEEK = 7 * 24 * 60 * 60 * 1_000;

const turn = (n: number): Said => ({
  thought: `I look at page ${n}.`,
  calls: [{ name: 'look', input: { at: `page ${n} ${'x'.repeat(400)}` } }],
});
const PAGES = Array.from({ length: 12 }, (_, at) => turn(at + 1));
const choose: Said = {
  thought: 'I have to know.',
  calls: [{ name: 'choose', input: { at: 'c' } }],
};

describe.each(Object.entries(PROVIDERS))('%s', (_name, provider) => {
  it.each([false, true])(
    'a conversation that its window does not hold is summed up and goes on in whole pairs (streamed: %s)',
    async (stream) => {
      const { ran, server, taskId, world } = await asked(
        provider,
        [...PAGES, choose, { text: 'All is well.' }],
        [{ text: 'Read the book' }],
        { stream, takes: 9_000, withoutTools: { text: 'Summary of pages.' } },
      );
      expect(server.refused).toEqual([]);
      expect(server.tooLong).toBeGreaterThan(0);
      expect(ran).toHaveLength(12);
      const summaries = (await stepsOf(world, taskId)).filter(
        (step): step is Summary => step.kind === 'summary',
      );
      expect(summaries.every(({ reason }) => reason === 'refused')).toBe(true);
      const before = server.requests.length;
      await world.clock.advance(WEEK);
      await world.trySend([{ data: { n: 2 } }], { taskId });
      await answered(world, taskId);
      expect(await world.state(taskId)).toBe('COMPLETED');
      expect(server.refused).toEqual([]);
      const sent = JSON.stringify(server.requests[before]?.body);
      expect(sent).toContain('Read the book');
      expect(sent).toContain('Summary of pages.');
      expect(sent).toContain('page 12 ');
      expect(sent).not.toContain('page 1 ');
    },
  );

  it('that is too long however it is put ends with a reason', async () => {
    const { taskId, world } = await asked(provider, [], [{ text: 'go' }], { takes: 10 });
    expect(await world.get(taskId)).toMatchObject({
      status: { state: 'FAILED' },
      metadata: { reason: 'AGENT_FAILED', fault: 'MODEL_CONTEXT' },
    });
  });
});

describe('the doubles of the providers', () => {
  const url = new URL('http://provider/');
  const user = { role: 'user', content: 'go' };
  it.each<[string, Protocol, JsonObject]>([
    [
      'anthropic',
      anthropic,
      {
        max_tokens: 1,
        messages: [
          {
            role: 'user',
            content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'ok' }],
          },
        ],
      },
    ],
    [
      'gemini',
      gemini,
      {
        contents: [
          { role: 'user', parts: [{ functionResponse: { name: 'look', response: { ok: 1 } } }] },
        ],
      },
    ],
    ['openai chat', openAiChat, { messages: [user, { role: 'tool', tool_call_id: 'c' }] }],
    [
      'openai responses',
      openAiResponses,
      {
        store: false,
        include: ['reasoning.encrypted_content'],
        input: [user, { type: 'function_call_output', call_id: 'c', output: 'ok' }],
      },
    ],
  ])('refuse a result without its call: %s', (_name, protocol, body) => {
    const seen = { answers: 0, signed: new Map<string, string>() };
    expect(protocol.refusal(body, seen, url)).toMatch(/tool|function/i);
  });
});

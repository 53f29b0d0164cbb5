import { describe, expect, it } from 'vitest';
import { languageModel, type Model } from '../../shared/agent/index.ts';
import { isLanguageModel } from '../../shared/models/ai-sdk/any-language-model.ts';
import type { Said } from '../doubles/providers/provider-server.ts';
import { rowOf } from '../app/turn-loop-world.ts';
import { answered, asked } from './asking.ts';
import { PROVIDERS, type Provider } from './providers.ts';

function providerOf(name: string): Provider {
  const provider = PROVIDERS[name];
  if (provider === undefined) throw new Error(name);
  return provider;
}

const look: Said = { thought: 'Hm.', calls: [{ name: 'look', input: { at: 'a' } }] };

describe('what a provider wants back', () => {
  it.each(['google', 'google, specification v3', 'anthropic'])(
    'is wanted by %s: without it the provider refuses the next turn',
    async (name) => {
      const provider = providerOf(name);
      const forgetful = (url: string): Model => {
        const given = provider.model(url);
        const model = isLanguageModel(given) ? languageModel(given) : given;
        return {
          name: model.name,
          async turn(request, signal, call) {
            return { ...(await model.turn(request, signal, call)), state: null };
          },
        };
      };
      const { server, taskId, world } = await asked({ ...provider, model: forgetful }, [look]);
      expect(server.refused).toHaveLength(1);
      expect(await world.state(taskId)).toBe('FAILED');
    },
  );

  it('is the encrypted reasoning of OpenAI, whose responses are to keep nothing', async () => {
    const { server } = await asked(providerOf('openai responses'), [look, { text: 'Done.' }]);
    expect(server.refused).toEqual([]);
    const sent = server.requests.map(({ body }) => JSON.stringify(body));
    expect(sent[0]).toContain('"store":false');
    expect(sent[1]).toContain('encrypted 1');
  });

  it('is sealed: no row and no object shows it, and it is gone with the run', async () => {
    const { server, taskId, world } = await asked(providerOf('anthropic'), [
      look,
      { thought: 'Ask.', calls: [{ name: 'choose', input: { at: 'b' } }] },
    ]);
    const clear = JSON.stringify(world.backend.everything(), (_key, value: unknown) =>
      value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : value,
    );
    expect(JSON.stringify(server.requests.at(-1)?.body)).toContain('signature 1');
    expect(clear).not.toContain('signature');
    await world.trySend([{ data: { n: 1 } }], { taskId });
    await answered(world, taskId);
    expect(await rowOf(world, taskId)).toMatchObject({ status: 'completed' });
    expect(await rowOf(world, taskId)).not.toHaveProperty('payloadKey');
  });
});

describe('a turn that is not whole', () => {
  it.each<[string, string, string, string]>([
    ['google', 'MAX_TOKENS', 'MODEL_LENGTH', 'cut off'],
    ['google', 'MALFORMED_FUNCTION_CALL', 'MODEL_MALFORMED', 'can not be read'],
    ['google', 'OTHER', 'MODEL_STOPPED', 'before it was complete'],
    ['anthropic', 'max_tokens', 'MODEL_LENGTH', 'cut off'],
    ['anthropic', 'pause_turn', 'MODEL_STOPPED', 'before it was complete'],
    ['openai chat', 'length', 'MODEL_LENGTH', 'cut off'],
    ['openai responses', 'max_output_tokens', 'MODEL_LENGTH', 'cut off'],
    ['openai compatible', 'length', 'MODEL_LENGTH', 'cut off'],
  ])(
    '%s: %s is told to the model, and ends the task when it comes again',
    async (name, finish, fault, told) => {
      const half = { text: 'And so', finish };
      const once = await asked(providerOf(name), [half, { text: 'There.' }]);
      expect(once.server.refused).toEqual([]);
      expect(JSON.stringify(once.server.requests.at(-1)?.body)).toContain(told);
      expect(await once.world.get(once.taskId)).toMatchObject({
        status: { state: 'COMPLETED', message: { parts: [{ text: 'There.' }] } },
      });
      const twice = await asked(providerOf(name), [half, half]);
      const task = await twice.world.get(twice.taskId);
      expect(task).toMatchObject({ status: { state: 'FAILED' }, metadata: { fault } });
      expect(JSON.stringify(task)).not.toContain('And so');
      expect((await rowOf(twice.world, twice.taskId)).spent).toMatchObject({
        rounds: 2,
        tokens: 250,
      });
    },
  );

  it.each<[string, string, string]>([
    ['google', 'SAFETY', 'MODEL_FILTERED'],
    ['google', 'PROHIBITED_CONTENT', 'MODEL_FILTERED'],
    ['anthropic', 'refusal', 'MODEL_REFUSED'],
    ['openai chat', 'content_filter', 'MODEL_FILTERED'],
    ['openai responses', 'content_filter', 'MODEL_FILTERED'],
  ])('%s: %s ends the task at once', async (name, finish, fault) => {
    const { server, taskId, world } = await asked(providerOf(name), [{ text: 'No.', finish }]);
    expect(server.requests).toHaveLength(1);
    const task = await world.get(taskId);
    expect(task).toMatchObject({ status: { state: 'FAILED' }, metadata: { fault } });
    expect((await rowOf(world, taskId)).spent).toMatchObject({ rounds: 1, tokens: 125 });
  });

  it('an empty one is no answer', async () => {
    const { server, taskId, world } = await asked(providerOf('google'), [
      { text: '' },
      { text: 'x' },
    ]);
    expect(server.requests).toHaveLength(2);
    expect(await world.state(taskId)).toBe('COMPLETED');
  });
});

describe('the parts of a message', () => {
  const image = { raw: Uint8Array.of(137, 80, 78, 71), mediaType: 'image/png', filename: 'a.png' };
  const table = { raw: Buffer.from('a,b\n1,2\n'), mediaType: 'text/csv', filename: 'a.csv' };

  it('reach a model that takes them: bytes as bytes, text files as text, data as JSON', async () => {
    const { server } = await asked(
      providerOf('google'),
      [{ text: 'Seen.' }],
      [{ text: 'Look:' }, image, table, { data: { n: 1 } }, { url: 'https://a.example/x' }],
    );
    expect(server.requests[0]?.body['contents']).toEqual([
      {
        role: 'user',
        parts: [
          { text: 'Look:' },
          {
            inlineData: { mimeType: 'image/png', data: Buffer.from(image.raw).toString('base64') },
          },
          { text: 'a.csv (text/csv, 8 bytes):\na,b\n1,2\n' },
          { text: '{"n":1}' },
          { text: '[a link: https://a.example/x]' },
        ],
      },
    ]);
  });

  it('hand over a link only where the provider fetches it itself', async () => {
    const parts = [
      { url: 'https://a.example/a.png', mediaType: 'image/png' },
      { url: 'https://a.example/a.mp4', mediaType: 'video/mp4' },
    ];
    const { server } = await asked(providerOf('anthropic'), [{ text: 'Seen.' }], parts);
    expect(server.requests[0]?.body['messages']).toEqual([
      {
        role: 'user',
        content: [
          { type: 'image', source: { type: 'url', url: 'https://a.example/a.png' } },
          { type: 'text', text: '[a link to video/mp4: https://a.example/a.mp4]' },
        ],
      },
    ]);
  });

  it('that a model does not take are told by name, and nothing fails', async () => {
    const video = { raw: Uint8Array.of(1, 2), mediaType: 'video/mp4', filename: 'a.mp4' };
    const { server, taskId, world } = await asked(
      providerOf('openai chat'),
      [{ text: 'Seen.' }],
      [{ text: 'Look:' }, video],
    );
    expect(await world.state(taskId)).toBe('COMPLETED');
    expect(JSON.stringify(server.requests[0]?.body)).toContain(
      "[a.mp4 (video/mp4, 2 bytes): it can't be shown to you]",
    );
  });
});

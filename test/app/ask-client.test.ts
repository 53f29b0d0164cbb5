import { describe, expect, it } from 'vitest';
import type { ModelAgentDeclaration, Part } from '../../shared/agent/index.ts';
import { SCHEMA_MEDIA_TYPE } from '../../shared/app/content/pause-parts.ts';
import { call, type Scripted, ScriptedModel } from '../../testing/scripted-model.ts';
import {
  decide,
  everythingGranted,
  finish,
  modelAgent,
  type Ran,
  rowOf,
} from './turn-loop-world.ts';
import { World } from './world.ts';

const WEEK = 7 * 24 * 60 * 60 * 1_000;
const where = call('ask_client', { question: 'Where to?' });
const form = call('ask_client', {
  question: 'What shall it be?',
  fields: [
    { name: 'size', type: 'number' },
    { name: 'colour', type: 'text', choices: ['red', 'blue'] },
    { name: 'gift', type: 'yes_or_no', optional: true },
  ],
});

async function asked(
  script: readonly Scripted[],
  over: Partial<Omit<ModelAgentDeclaration, 'run'>> = {},
) {
  const ran: Ran[] = [];
  const model = new ScriptedModel(...script);
  const agent = modelAgent(model, ran, { ask: true, ...over });
  const world = new World(agent, { grants: everythingGranted });
  const { taskId } = await world.send('go');
  await finish(world);
  const answer = async (...parts: readonly Part[]) => {
    const outcome = await world.trySend(parts, { taskId });
    await finish(world);
    return outcome;
  };
  return { agent, answer, model, ran, taskId, world };
}

const results = ({ seen }: ScriptedModel) =>
  seen.flatMap((entry) => (entry.role === 'tool' ? [entry.value] : []));

describe('a model that asks its client', () => {
  it('has its words shown, and the answer as the result of its call, also after a week elsewhere', async () => {
    const { agent, model, taskId, world } = await asked([{ calls: [where] }, { text: 'There.' }]);
    expect(await world.get(taskId)).toMatchObject({
      status: { state: 'INPUT_REQUIRED', message: { parts: [{ text: 'Where to?' }, {}] } },
    });
    expect(await rowOf(world, taskId)).not.toHaveProperty('claim');
    await world.clock.advance(WEEK);
    const later = new World(agent, { below: world, grants: everythingGranted });
    await later.trySend([{ text: 'To Ulm, please' }], { taskId });
    await finish(later);
    expect(await later.state(taskId)).toBe('COMPLETED');
    expect(results(model)).toEqual(['To Ulm, please']);
  });

  it('may say what the answer is made of: data is checked, and what does not fit is refused by its path', async () => {
    const { answer, model, taskId, world } = await asked([{ calls: [form] }]);
    const { status } = await world.get(taskId);
    expect(status.message?.parts[1]).toMatchObject({
      mediaType: SCHEMA_MEDIA_TYPE,
      data: {
        type: 'object',
        properties: {
          size: { type: 'number' },
          colour: { type: 'string', enum: ['red', 'blue'] },
          gift: { type: 'boolean' },
        },
        required: ['size', 'colour'],
      },
    });
    expect(await answer({ data: { size: 'big', colour: 'red' } })).toMatchObject({
      kind: 'refused',
      code: 'INVALID_PARAMS',
      field: 'message.parts[0].data.size',
    });
    await answer({ data: { size: 4, colour: 'red' } });
    expect(await world.state(taskId)).toBe('COMPLETED');
    expect(results(model)).toEqual([{ size: 4, colour: 'red' }]);
  });

  it('reads an answer in words, also where it asked for data', async () => {
    const { answer, model, taskId, world } = await asked([{ calls: [form] }]);
    await answer({ text: 'a red one, size four' });
    expect(await world.state(taskId)).toBe('COMPLETED');
    expect(results(model)).toEqual(['a red one, size four']);
  });

  it('reads words, data and the names of files together', async () => {
    const { answer, model } = await asked([{ calls: [where] }]);
    await answer(
      { text: 'See the map' },
      { data: { city: 'Ulm' } },
      { raw: Buffer.from('x'), filename: 'map.png' },
      { url: 'https://maps.example/ulm' },
    );
    expect(results(model)).toEqual([
      {
        words: 'See the map',
        data: [{ city: 'Ulm' }],
        files: ['map.png', 'https://maps.example/ulm'],
      },
    ]);
  });

  it('may ask between other calls, each question in its turn, and each call runs once', async () => {
    const look = (at: string) => call('look', { at });
    const { answer, model, ran, taskId, world } = await asked([
      { calls: [look('a'), where, look('b'), form, look('c')] },
    ]);
    expect(ran.map(({ args }) => args)).toEqual([{ at: 'a' }]);
    await answer({ text: 'Ulm' });
    expect(await world.state(taskId)).toBe('INPUT_REQUIRED');
    await answer({ data: { size: 4, colour: 'red' } });
    expect(await world.state(taskId)).toBe('COMPLETED');
    expect(ran.map(({ args }) => args)).toEqual([{ at: 'a' }, { at: 'b' }, { at: 'c' }]);
    expect(results(model).filter((value) => !JSON.stringify(value).includes('look'))).toEqual([
      'Ulm',
      { size: 4, colour: 'red' },
    ]);
  });

  it('beside a call that needs an approval is held with it, and asks when that is given', async () => {
    const erase = call('erase', { at: 'disk 1' });
    const { answer, ran, taskId, world } = await asked([{ calls: [where, erase] }]);
    expect(await world.state(taskId)).toBe('AUTH_REQUIRED');
    await decide(world, taskId, 'approve');
    await finish(world);
    expect(await world.state(taskId)).toBe('INPUT_REQUIRED');
    expect(ran).toEqual([]);
    await answer({ text: 'Ulm' });
    expect(await world.state(taskId)).toBe('COMPLETED');
    expect(ran).toMatchObject([{ tool: 'erase' }]);
  });

  it('is answered by an operator as well', async () => {
    const { model, taskId, world } = await asked([{ calls: [where] }]);
    await decide(world, taskId, 'input', 'Bonn');
    await finish(world);
    expect(await world.state(taskId)).toBe('COMPLETED');
    expect(results(model)).toEqual(['Bonn']);
  });

  it.each([
    ['nothing', {}],
    ['no words', { question: '  ' }],
    ['fields of no known type', { question: 'What?', fields: [{ name: 'n', type: 'regex' }] }],
    [
      'a hundred fields',
      { question: 'What?', fields: Array(100).fill({ name: 'n', type: 'text' }) },
    ],
  ])('asking %s reads what is wrong, and its client is not asked', async (_what, given) => {
    const { model, taskId, world } = await asked([{ calls: [call('ask_client', given)] }]);
    expect(await world.state(taskId)).toBe('COMPLETED');
    expect(results(model)).toEqual([
      { error: expect.stringContaining('The arguments do not fit.') as unknown },
    ]);
  });

  it('again and again ends with its rounds', async () => {
    const { answer, taskId, world } = await asked(
      Array.from({ length: 9 }, () => ({ calls: [where] })),
      { limits: { rounds: 3 } },
    );
    for (let n = 0; n < 3; n += 1) await answer({ text: 'Ulm' });
    expect(await world.get(taskId)).toMatchObject({
      status: { state: 'FAILED' },
      metadata: { reason: 'ROUNDS_EXCEEDED' },
    });
  });

  it('is not offered the tool unless its agent says so', async () => {
    const { model, taskId, world } = await asked([{ calls: [where] }], { ask: false });
    expect(await world.state(taskId)).toBe('COMPLETED');
    expect(model.requests[0]?.tools.map(({ name }) => name)).not.toContain('ask_client');
    expect(results(model)).toEqual([{ error: 'There is no tool called "ask_client".' }]);
  });
});

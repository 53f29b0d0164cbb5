import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { call, type Scripted, ScriptedModel } from '../../testing/scripted-model.ts';
import { asked } from '../models/asking.ts';
import { PROVIDERS } from '../models/providers.ts';
import { finish, modelAgent, rowOf } from './turn-loop-world.ts';
import { World } from './world.ts';

const structured = z.object({ city: z.string(), people: z.number().int().default(0) });

async function run(...script: readonly Scripted[]) {
  const model = new ScriptedModel(...script);
  const world = new World(modelAgent(model, [], { structured }));
  const { taskId } = await world.send('go');
  await finish(world);
  return { model, world, taskId, task: await world.get(taskId) };
}

const ulm = { city: 'Ulm', people: 126_949 };

describe('an answer that is to be data', () => {
  it.each<[string, string]>([
    ['JSON', JSON.stringify(ulm)],
    ['JSON in a block of Markdown', `\`\`\`json\n${JSON.stringify(ulm)}\n\`\`\``],
  ])('is a data part, as %s', async (_what, text) => {
    const { model, task } = await run({ calls: [call('look', { at: 'a' })] }, { text });
    expect(task.status).toMatchObject({ state: 'COMPLETED' });
    expect(task.status.message?.parts).toEqual([{ data: ulm, mediaType: 'application/json' }]);
    expect(model.requests[0]?.answer).toMatchObject({ type: 'object', required: ['city'] });
    expect(model.requests[0]?.instructions).toMatch(/^Do it\.\n\n.*JSON of this schema.*"city"/);
  });

  it('is what the schema makes of it', async () => {
    const { task } = await run({ text: '{"city":"Ulm","more":1}' });
    expect(task.status.message?.parts).toMatchObject([{ data: { city: 'Ulm', people: 0 } }]);
  });

  it.each<[string, string, RegExp]>([
    ['is no JSON', 'Ulm, of course.', /the final answer is no JSON/],
    ['does not fit', '{"city":7}', /does not fit\. city: /],
    ['is nothing', '', /the final answer is no JSON/],
  ])('that %s is told to the model, which may mend it once', async (_what, text, words) => {
    const mended = await run({ text }, { text: JSON.stringify(ulm) });
    expect(mended.task.status.state).toBe('COMPLETED');
    const told = mended.model.seen.at(-1);
    expect(told).toMatchObject({ role: 'notice', text: expect.stringMatching(words) as unknown });
    const failed = await run({ text }, { text });
    expect(failed.task).toMatchObject({
      status: { state: 'FAILED' },
      metadata: { fault: 'MODEL_MISFIT' },
    });
    expect(JSON.stringify(failed.task)).not.toContain('of course');
    expect((await rowOf(failed.world, failed.taskId)).spent.rounds).toBe(2);
  });

  it('has a schema that can be said, or is no declaration', () => {
    const wrong = { structured: z.date() };
    expect(() => modelAgent(new ScriptedModel(), [], wrong)).toThrow(/structured must be/);
  });

  it('is asked of the provider in its own words where there are no tools', async () => {
    const google = PROVIDERS['google'];
    if (google === undefined) throw new Error('google');
    const { server } = await asked(google, [{ text: '{"city":"Ulm"}' }], undefined, {
      structured,
      tools: [],
    });
    expect(JSON.stringify(server.requests[0]?.body['generationConfig'])).toMatch(
      /"responseMimeType":"application\/json".*"city"/,
    );
  });
});

import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Installation } from '../../shared/app/app.ts';
import { loadSteps } from '../../shared/app/worker/transcript.ts';
import { defineTool } from '../../shared/agent/index.ts';
import { call, ScriptedModel } from '../../testing/scripted-model.ts';
import {
  decide,
  everythingGranted,
  finish,
  heldOf,
  modelAgent,
  type Ran,
  rowOf,
} from './turn-loop-world.ts';
import { everyPath, finished, given, MOMENTS, print, sceneAt } from './privacy-waiting.ts';
import { SECRET } from './shapes.ts';
import { World } from './world.ts';

const redacted: Installation = { answer: 'redacted', audit: 'metadata' };

describe('a ceiling that is redacted from the start', () => {
  it.each(MOMENTS)(
    '$name: only redacted words are kept and shown, and the model works with the words as they came',
    async (moment) => {
      const calm = await sceneAt(moment);
      await finished(moment, calm);
      const scene = await sceneAt(moment, { installation: redacted });
      const { taskId, world } = scene;
      expect(await everyPath(world, taskId)).not.toContain(SECRET);
      const run = await rowOf(world, taskId);
      expect(print(await loadSteps(world.app, { run }))).toContain(SECRET);
      await finished(moment, scene);
      expect(await world.state(taskId)).toBe('COMPLETED');
      expect(await everyPath(world, taskId)).not.toContain(SECRET);
      expect(given(scene)).toEqual(given(calm));
    },
  );

  it('of a client: answers and decisions in its messages are redacted in the history, and used as they came', async () => {
    const ran: Ran[] = [];
    const choose = call('choose', { at: SECRET });
    const erase = call('erase', { at: SECRET });
    const model = new ScriptedModel({ calls: [choose] }, { calls: [choose] }, { calls: [erase] });
    const publication = { decisions: { owner: true } };
    const world = new World(modelAgent(model, ran, { publication }), {
      grants: everythingGranted,
      installation: redacted,
    });
    const { taskId } = await world.send(`please ${SECRET}`);
    await finish(world);
    await world.trySend([{ text: `as ${SECRET} says` }, { data: { n: 1 } }], { taskId });
    await finish(world);
    const { digest, pauseGeneration } = await heldOf(world, taskId);
    const input = { kind: 'input', pauseGeneration, digest, input: { n: 2 } };
    await world.trySend([{ text: `again ${SECRET}` }, { data: input }], { taskId });
    await finish(world);
    const asked = await heldOf(world, taskId);
    const approval = {
      kind: 'approve',
      pauseGeneration: asked.pauseGeneration,
      digest: asked.digest,
    };
    expect(asked.held).toMatchObject({
      calls: [{ tool: 'erase', summary: 'Erase what is at [removed]' }],
    });
    await world.trySend([{ data: approval }, { text: `because of ${SECRET}` }], { taskId });
    await finish(world);
    const { history, status } = await world.get(taskId);
    expect(status.state).toBe('COMPLETED');
    expect(history.filter(({ role }) => role === 'user').map(({ parts }) => parts)).toEqual([
      [{ text: 'please [removed]' }],
      [{ text: 'as [removed] says' }, { data: { n: 1 } }],
      [{ text: 'again [removed]' }, { data: input }],
      [{ data: approval }, { text: 'because of [removed]' }],
    ]);
    expect(ran).toMatchObject([
      { tool: 'choose', args: { at: SECRET }, input: { n: 1 } },
      { tool: 'choose', args: { at: SECRET }, input: { n: 2 } },
      { tool: 'erase', args: { at: SECRET } },
    ]);
    expect(await everyPath(world, taskId)).not.toContain(SECRET);
  });
});

describe('a provider that turns out to be stricter in the middle of the loop', () => {
  /** A model that is asked, and before its second turn is found to be another one. */
  function falling(answer: 'none' | 'redacted', calls: readonly ReturnType<typeof call>[]) {
    const model = new ScriptedModel(
      { text: `thinking of ${SECRET}`, artifacts: [{ parts: `early ${SECRET}` }], calls },
      async (_request, _signal, { tighten }) => {
        await tighten(answer);
        return { text: `more of ${SECRET}`, calls: [call('look', { at: SECRET })] };
      },
      { text: `done ${SECRET}` },
    );
    return { agent: modelAgent(model), model };
  }

  /** A tool that asks a service which is stricter. */
  const stricter = (answer: 'none' | 'redacted', ran: string[]) =>
    defineTool({
      name: 'ask',
      description: 'Asks a service.',
      parameters: z.object({ at: z.string() }),
      effect: 'idempotent',
      async run({ at }, { tighten }) {
        await tighten(answer);
        ran.push(at);
        return { at };
      },
    });

  it.each([
    ['redacted', 'COMPLETED', 1],
    ['none', 'FAILED', 0],
  ] as const)(
    'found by a tool (%s): the task is %s, and keeps no word that it may not',
    async (answer, state, asked) => {
      const ran: string[] = [];
      const turn = { text: `thinking of ${SECRET}`, artifacts: [{ parts: `early ${SECRET}` }] };
      const model = new ScriptedModel(
        { ...turn, calls: [call('ask', { at: SECRET })] },
        { text: `done ${SECRET}` },
      );
      const world = new World(modelAgent(model, [], { tools: [stricter(answer, ran)] }));
      const { taskId } = await world.send(`please ${SECRET}`);
      await finish(world);
      expect(await world.state(taskId)).toBe(state);
      expect(ran).toHaveLength(asked);
      expect(await everyPath(world, taskId)).not.toContain(SECRET);
    },
  );

  const look = call('look', { at: SECRET });
  const erase = call('erase', { at: SECRET });

  it.each([
    ['before it has waited', [look], false],
    ['after it has waited', [erase], true],
  ] as const)('to redacted, %s: it goes on with what it was given', async (_when, calls, waits) => {
    const { agent, model } = falling('redacted', calls);
    const world = new World(agent, { grants: everythingGranted });
    const { taskId } = await world.send(`please ${SECRET}`);
    await finish(world);
    if (waits) await decide(world, taskId, 'approve');
    await finish(world);
    const { artifacts, status } = await world.get(taskId);
    expect(status).toMatchObject({
      state: 'COMPLETED',
      message: { parts: [{ text: 'done [removed]' }] },
    });
    expect(artifacts).toMatchObject([{ parts: [{ text: 'early [removed]' }] }]);
    expect(await everyPath(world, taskId)).not.toContain(SECRET);
    expect(model.seen).toMatchObject([
      { role: 'user', message: { parts: [{ text: `please ${SECRET}` }] } },
      { role: 'model', text: `thinking of ${SECRET}` },
      { role: 'tool', value: { args: { at: SECRET } } },
      { role: 'model', text: `more of ${SECRET}` },
      { role: 'tool', value: { args: { at: SECRET } } },
    ]);
  });

  it('to none: the turn is not committed, its calls do not run, and the task is FAILED', async () => {
    const { agent, model } = falling('none', [look]);
    const world = new World(agent);
    const { taskId } = await world.send(`please ${SECRET}`);
    await finish(world);
    expect(await world.get(taskId)).toMatchObject({
      status: { state: 'FAILED' },
      metadata: { reason: 'RESULT_NOT_KEPT' },
      artifacts: [],
    });
    // The message, the first turn and the result of its call.
    expect(await rowOf(world, taskId)).toMatchObject({ steps: 3 });
    expect(model.calls).toBe(2);
    expect(await everyPath(world, taskId)).not.toContain(SECRET);
  });

  it('an agent with a model whose answers may not be kept takes no message, and says why', async () => {
    const model = new ScriptedModel();
    const world = new World(modelAgent(model, [], { publication: { provider: 'none' } }));
    expect(await world.trySend([{ text: 'hello' }])).toMatchObject({
      code: 'RESULT_NOT_STORABLE',
      message: expect.stringMatching(/its provider says none/) as string,
    });
    expect(model.calls).toBe(0);
  });
});

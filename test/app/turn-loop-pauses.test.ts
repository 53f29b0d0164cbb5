import { describe, expect, it } from 'vitest';
import { RetryLater } from '../../shared/agent/index.ts';
import { INPUT_MEDIA_TYPE } from '../../shared/app/content/pause-parts.ts';
import { digestOfCalls } from '../../shared/domain/step.ts';
import { sweep } from '../../shared/app/worker/sweep.ts';
import { call, ScriptedModel } from '../../testing/scripted-model.ts';
import {
  decide,
  everythingGranted,
  finish,
  heldOf,
  modelAgent,
  type Ran,
  rowOf,
  stepsOf,
  toolbox,
} from './turn-loop-world.ts';
import { World } from './world.ts';

const grants = everythingGranted;
const look = call('look', { at: 'a' });
const erase = call('erase', { at: 'disk 1', secret: 'never shown' });

async function begun(model: ScriptedModel, ran: Ran[] = []) {
  const world = new World(modelAgent(model, ran), { grants });
  const { taskId, contextId } = await world.send('go');
  await finish(world);
  return { world, taskId, contextId };
}

describe('approval of a turn (G18)', () => {
  it('holds the whole turn, and says what is to be approved without an argument (G4)', async () => {
    const ran: Ran[] = [];
    const hide = call('hide', { at: 'a secret place' });
    const { world, taskId } = await begun(new ScriptedModel({ calls: [look, erase, hide] }), ran);
    const task = await world.get(taskId);
    expect(task.status.state).toBe('AUTH_REQUIRED');
    const { held } = await heldOf(world, taskId);
    expect(held).toEqual({
      kind: 'approval',
      pauseGeneration: 1,
      digest: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
      calls: [
        { tool: 'look', summary: 'The tool look.' },
        { tool: 'erase', summary: 'Erase what is at disk 1.' },
        { tool: 'hide', summary: 'The tool hide.' },
      ],
    });
    expect(JSON.stringify(task)).not.toContain('never shown');
    expect(JSON.stringify(task)).not.toContain('secret place');
    expect(ran).toEqual([]);
    expect(await rowOf(world, taskId)).not.toHaveProperty('claim');
  });

  it('approved, its calls run once each and the model goes on', async () => {
    const ran: Ran[] = [];
    const model = new ScriptedModel({ calls: [look, erase] }, { text: 'gone' });
    const { world, taskId } = await begun(model, ran);
    await decide(world, taskId, 'approve');
    await finish(world);
    expect(ran.map(({ tool }) => tool)).toEqual(['look', 'erase']);
    expect(await world.state(taskId)).toBe('COMPLETED');
    expect(model.calls).toBe(2);
  });

  it('denied, nothing runs, and the model is told who declined', async () => {
    const ran: Ran[] = [];
    const model = new ScriptedModel({ calls: [look, erase] }, { text: 'understood' });
    const { world, taskId } = await begun(model, ran);
    await decide(world, taskId, 'deny');
    await finish(world);
    expect(ran).toEqual([]);
    const why = 'An operator declined this turn. No call of it was carried out.';
    expect(model.seen.slice(2)).toMatchObject([
      { role: 'tool', status: 'error', value: { error: why } },
      { role: 'tool', status: 'error', value: { error: why } },
    ]);
    expect(await world.state(taskId)).toBe('COMPLETED');
  });

  it('names the calls by ids that are no use to guess their arguments (G4)', async () => {
    const { world, taskId } = await begun(new ScriptedModel({ calls: [erase] }));
    const [, turn] = await stepsOf(world, taskId);
    if (turn?.kind !== 'turn') throw new Error('no turn');
    const guessed = digestOfCalls(turn.calls);
    expect(turn.digest).toBe(guessed);
    expect(JSON.stringify(await world.get(taskId))).not.toContain(guessed);
    expect(JSON.stringify(await rowOf(world, taskId))).not.toContain(guessed);
  });

  it('is for that turn alone: the same call in the next one is held again', async () => {
    const ran: Ran[] = [];
    const model = new ScriptedModel({ calls: [erase] }, { calls: [erase] });
    const { world, taskId } = await begun(model, ran);
    const first = await heldOf(world, taskId);
    await decide(world, taskId, 'approve');
    await finish(world);
    expect(await world.state(taskId)).toBe('AUTH_REQUIRED');
    const second = await heldOf(world, taskId);
    expect(second.pauseGeneration).toBe(2);
    expect(second.digest).not.toBe(first.digest);
    expect(ran).toHaveLength(1);
  });

  it('survives a worker that is lost after it was taken in: no second question, no second call', async () => {
    const ran: Ran[] = [];
    const model = new ScriptedModel({ calls: [look, erase] });
    const tools = toolbox(ran, ({ tool }) => {
      if (tool === 'look' && ran.length === 1) throw new RetryLater('not yet', { delay: 10 });
      return undefined;
    });
    const world = new World(modelAgent(model, ran, { tools }), { grants });
    const { taskId } = await world.send('go');
    await finish(world);
    await decide(world, taskId, 'approve');
    await finish(world);
    await world.clock.advance(11);
    await finish(world);
    expect(ran.map(({ tool }) => tool)).toEqual(['look', 'look', 'erase']);
    expect(await world.state(taskId)).toBe('COMPLETED');
    expect((await rowOf(world, taskId)).pauseGeneration).toBe(1);
  });

  it('a plain message is no approval', async () => {
    const ran: Ran[] = [];
    const { world, taskId } = await begun(new ScriptedModel({ calls: [erase] }), ran);
    const answer = await world.code(world.trySend([{ text: 'yes, approved' }], { taskId }));
    expect(answer).toBeDefined();
    await finish(world);
    expect(await world.state(taskId)).toBe('AUTH_REQUIRED');
    expect(ran).toEqual([]);
  });
});

describe('typed input', () => {
  const choose = call('choose', { at: 'the door' });

  it('is asked for with its schema and what a decision must name', async () => {
    const { world, taskId } = await begun(new ScriptedModel({ calls: [choose] }));
    const { status } = await world.get(taskId);
    expect(status.state).toBe('INPUT_REQUIRED');
    expect(status.message?.parts).toMatchObject([
      { text: 'Which one?' },
      { data: { type: 'object', required: ['n'] }, mediaType: 'application/schema+json' },
      { data: { kind: 'input', pauseGeneration: 1 }, mediaType: INPUT_MEDIA_TYPE },
    ]);
    expect((await heldOf(world, taskId)).digest).toMatch(/^[0-9a-f]{64}$/);
  });

  it.each<[string, (world: World, taskId: string) => Promise<unknown>]>([
    ['an answer', (world, taskId) => world.trySend([{ data: { n: 2 } }], { taskId })],
    ['an answer in words', (world, taskId) => world.trySend([{ text: '{"n":2}' }], { taskId })],
    ['a decision', (world, taskId) => decide(world, taskId, 'input', { n: 2 })],
  ])('comes by %s, and the tool runs with it, once', async (_what, give) => {
    const ran: Ran[] = [];
    const model = new ScriptedModel({ calls: [look, choose, look] });
    const { world, taskId } = await begun(model, ran);
    expect(ran).toHaveLength(1);
    await give(world, taskId);
    await finish(world);
    expect(await world.state(taskId)).toBe('COMPLETED');
    expect(ran.map(({ tool, input }) => [tool, input])).toEqual([
      ['look', undefined],
      ['choose', { n: 2 }],
      ['look', undefined],
    ]);
    expect(model.seen[3]).toMatchObject({ name: 'choose', value: { input: { n: 2 } } });
    expect(model.calls).toBe(2);
  });

  it('that does not fit is asked for again, in words that say what was wrong', async () => {
    const ran: Ran[] = [];
    const { world, taskId } = await begun(new ScriptedModel({ calls: [choose] }), ran);
    // Data that does not fit is refused at the door; words are the tool's to understand.
    const refused = await world.code(world.trySend([{ data: { n: 9 } }], { taskId }));
    expect(refused).toBeDefined();
    await world.send('the second one', { taskId });
    await finish(world);
    const { status } = await world.get(taskId);
    expect(status.state).toBe('INPUT_REQUIRED');
    expect(status.message?.parts[1]).toMatchObject({
      text: expect.stringMatching(/^The last answer did not fit: /) as string,
    });
    expect(ran).toEqual([]);
    await world.trySend([{ data: { n: 3 } }], { taskId });
    await finish(world);
    expect(ran).toMatchObject([{ input: { n: 3 } }]);
    expect(await world.state(taskId)).toBe('COMPLETED');
  });

  it('is not asked for again when the worker that took it in was lost', async () => {
    const ran: Ran[] = [];
    const model = new ScriptedModel({ calls: [choose] });
    const tools = toolbox(ran, () => {
      if (ran.length === 1) throw new RetryLater('not yet', { delay: 10 });
      return undefined;
    });
    const world = new World(modelAgent(model, ran, { tools }), { grants });
    const { taskId } = await world.send('go');
    await finish(world);
    await world.trySend([{ data: { n: 1 } }], { taskId });
    await finish(world);
    await world.clock.advance(11);
    await finish(world);
    expect(ran.map(({ input }) => input)).toEqual([{ n: 1 }, { n: 1 }]);
    expect(await world.state(taskId)).toBe('COMPLETED');
  });
});

describe('what the model knows after a pause', () => {
  it('is what the client wrote, also where only a redacted copy of it may be kept', async () => {
    const model = new ScriptedModel({ calls: [erase] });
    const publication = { task: 'redacted' } as const;
    const world = new World(modelAgent(model, [], { publication }), { grants });
    const { taskId } = await world.send('write to secret@example.com');
    await finish(world);
    await decide(world, taskId, 'approve');
    await finish(world);
    expect(model.calls).toBe(2);
    expect(model.seen[0]).toMatchObject({
      role: 'user',
      message: { parts: [{ text: 'write to secret@example.com' }] },
    });
  });

  it('is the same in a worker that was lost: what is committed is not asked of the model again', async () => {
    const ran: Ran[] = [];
    const model = new ScriptedModel({ calls: [look] });
    const world = new World(
      modelAgent(model, ran, {
        tools: toolbox(ran, () => (ran.length === 1 ? new Promise(() => undefined) : undefined)),
      }),
      { settings: { leaseRenewal: 10_000_000 } },
    );
    const { taskId } = await world.send('go');
    await world.work();
    await world.clock.advance(70_000);
    await sweep(world.app);
    await finish(world);
    expect(await world.state(taskId)).toBe('COMPLETED');
    expect(ran).toHaveLength(2);
    expect(model.calls).toBe(2);
  });

  it('a once tool whose worker is killed is not run again: FAILED, with a reason that says so', async () => {
    const ran: Ran[] = [];
    const model = new ScriptedModel({ calls: [call('pay', { at: 'x' })] });
    const tools = toolbox(ran, () => new Promise(() => undefined));
    const world = new World(modelAgent(model, ran, { tools }), {
      settings: { leaseRenewal: 10_000_000 },
    });
    const { taskId } = await world.send('go');
    await world.work();
    for (let round = 0; round < 5; round += 1) {
      await world.clock.advance(70_000);
      await sweep(world.app);
      await finish(world);
    }
    expect(await world.get(taskId)).toMatchObject({
      status: { state: 'FAILED' },
      metadata: { reason: 'EFFECT_UNKNOWN' },
    });
    expect(ran).toHaveLength(1);
    expect(model.calls).toBe(1);
  });

  it('a worker that is told to go within a once tool leaves the same', async () => {
    const ran: Ran[] = [];
    const model = new ScriptedModel({ calls: [call('pay', { at: 'x' })] });
    const tools = toolbox(ran, () => new Promise(() => undefined));
    const world = new World(modelAgent(model, ran, { tools }));
    const { taskId } = await world.send('go');
    await world.work();
    world.app.segments.stopAll('shutdown');
    await finish(world);
    await world.clock.advance(70_000);
    await sweep(world.app);
    await finish(world);
    expect(await world.get(taskId)).toMatchObject({ metadata: { reason: 'EFFECT_UNKNOWN' } });
    expect(ran).toHaveLength(1);
  });
});

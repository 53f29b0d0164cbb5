import { describe, expect, it } from 'vitest';
import { type AgentContext, defineAgent } from '../../shared/agent/index.ts';
import { call, ScriptedModel } from '../../testing/scripted-model.ts';
import { finish, modelAgent, toolbox } from './turn-loop-world.ts';
import { World } from './world.ts';

describe('what the artifacts of one task come to', () => {
  const settings = { taskArtifacts: 3, taskArtifactBytes: 100 };
  const begun = (run: (ctx: AgentContext) => Promise<void>): World =>
    new World(defineAgent({ name: 'shows', description: 'Shows.', run }), { settings });
  const exceeded = (world: World, taskId: string) =>
    expect(world.get(taskId)).resolves.toMatchObject({
      status: {
        state: 'FAILED',
        message: { parts: [{ text: 'The agent showed more than a task may hold.' }] },
      },
      metadata: { reason: 'AGENT_FAILED', fault: 'ARTIFACTS_EXCEEDED' },
    });

  it.each([
    ['at the limit of their number', ['a', 'b', 'c'], 'x', 'COMPLETED'],
    ['over it', ['a', 'b', 'c', 'd'], 'x', 'FAILED'],
    ['at the limit of bytes, in pieces', ['a', 'a', 'b', 'a'], 'x'.repeat(25), 'COMPLETED'],
    ['over it, in pieces', ['a', 'a', 'b', 'a', 'a'], 'x'.repeat(25), 'FAILED'],
  ])('may be %s', async (_what, ids, parts, state) => {
    const world = begun(async (ctx) => {
      for (const artifactId of ids) await ctx.artifact({ artifactId, parts, append: true });
    });
    const { taskId } = await world.send('go');
    await world.work();
    expect(await world.state(taskId)).toBe(state);
    if (state === 'FAILED') await exceeded(world, taskId);
    const shown = (await world.get(taskId)).artifacts;
    expect(shown.length).toBeLessThanOrEqual(settings.taskArtifacts);
  });

  it('counts what is replaced in a segment: the journal keeps it', async () => {
    const world = begun(async (ctx) => {
      for (let time = 0; time < 5; time += 1)
        await ctx.artifact({ artifactId: 'a', parts: 'x'.repeat(25) });
    });
    const { taskId } = await world.send('go');
    await world.work();
    await exceeded(world, taskId);
  });

  it('goes on from segment to segment', async () => {
    const world = begun(async (ctx) => {
      await ctx.artifact({ parts: 'x'.repeat(40) });
      ctx.ask('More?');
    });
    const { taskId } = await world.send('go');
    await world.work();
    await world.send('yes', { taskId });
    await world.work();
    expect(await world.state(taskId)).toBe('INPUT_REQUIRED');
    await world.send('yes', { taskId });
    await world.work();
    await exceeded(world, taskId);
  });

  it('is an error to its author, who may go on without it', async () => {
    const said: string[] = [];
    const world = begun(async (ctx) => {
      await ctx
        .artifact({ artifactId: 'big', parts: 'x'.repeat(101) })
        .catch((error: Error) => void said.push(`${error.name}: ${error.message}`));
      await ctx.artifact({ artifactId: 'small', parts: 'x' });
    });
    const { taskId } = await world.send('go');
    await world.work();
    expect(said).toEqual([
      'ArtifactsExceeded: the task would have artifacts of 101 bytes; at most 100 are kept (setting taskArtifactBytes): show less, or store it elsewhere and give its URL',
    ]);
    expect(await world.get(taskId)).toMatchObject({
      status: { state: 'COMPLETED' },
      artifacts: [{ artifactId: 'small' }],
    });
  });

  it('holds for the artifacts of turns, in the middle and in the last', async () => {
    const artifact = { parts: 'x'.repeat(60) };
    const tools = toolbox([], () => 'seen');
    const two = new ScriptedModel(
      { calls: [call('look', { at: 'a' })], artifacts: [artifact] },
      {
        text: 'done',
        artifacts: [artifact],
      },
    );
    const world = new World(modelAgent(two, [], { tools }), { settings });
    const { taskId } = await world.send('go');
    await finish(world);
    await exceeded(world, taskId);
    expect((await world.get(taskId)).artifacts).toHaveLength(1);
  });
});

import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  defineTool,
  RetryLater,
  type ToolContext,
  type ToolEffect,
  ToolError,
} from '../../shared/agent/index.ts';
import { call, ScriptedModel } from '../../testing/scripted-model.ts';
import { finish, modelAgent, rowOf } from './turn-loop-world.ts';
import { latch, World } from './world.ts';

type During = (call: Omit<ToolContext, 'input'>) => Promise<unknown>;

function showing(effect: ToolEffect, during: During, calls = [call('show')]) {
  const show = defineTool({
    name: 'show',
    description: 'Shows something.',
    parameters: z.object({}),
    effect,
    run: (_, given) => during(given),
  });
  const model = new ScriptedModel({ calls });
  return { model, agent: modelAgent(model, [], { tools: [show] }) };
}

const chunk = (text: string) => ({ artifactId: 'log', parts: text, append: true });
const textOf = (parts: readonly unknown[] = []) =>
  parts.map((part) => (part as { text: string }).text).join('');
const wordsIn = (task: Awaited<ReturnType<World['get']>>) =>
  task.history.flatMap(({ parts }) => parts.flatMap((part) => ('text' in part ? [part.text] : [])));

describe('what a tool shows', () => {
  it('is committed while it runs, and is seen by callers alone', async () => {
    const gate = latch();
    const { agent, model } = showing('once', async (given) => {
      await given.status('half way');
      await given.artifact(chunk('one;'));
      await gate.opened;
      await given.artifact(chunk('two;'));
      await given.artifact({ name: 'map', parts: 'x' });
      return 'the result';
    });
    const world = new World(agent);
    const { taskId } = await world.send('go');
    await world.work();
    await world.clock.advance(400);
    const early = await world.get(taskId);
    expect(early.status).toMatchObject({
      state: 'WORKING',
      message: { parts: [{ text: 'half way' }] },
    });
    expect(early.artifacts).toMatchObject([{ artifactId: 'log', parts: [{ text: 'one;' }] }]);
    // Its mark is still there: it is not over.
    expect(await rowOf(world, taskId)).toMatchObject({ effect: 'call-2-1' });
    gate.open();
    await finish(world);
    const task = await world.get(taskId);
    expect(task.status.state).toBe('COMPLETED');
    expect(textOf(task.artifacts[0]?.parts)).toBe('one;two;');
    expect(task.artifacts[1]).toMatchObject({ artifactId: 'artifact-call-2-1-3', name: 'map' });
    expect(model.seen.at(-1)).toMatchObject({ role: 'tool', value: 'the result' });
    expect(JSON.stringify(model.seen)).not.toMatch(/half way|one;/);
  });

  it('is in the commit of its result: a worker that dies right after it loses nothing', async () => {
    const { agent } = showing('once', async (given) => {
      await given.status('paid');
      await given.artifact({ artifactId: 'receipt', parts: 'r-1' });
    });
    let dead = false;
    const world = new World(agent, {
      wrap: (below) => ({
        read: (paths) => below.read(paths),
        query: (query, after) => below.query(query, after),
        count: (query) => below.count(query),
        follow: (query, after, signal) => below.follow(query, after, signal),
        watch: (path, signal) => below.watch(path, signal),
        close: () => below.close(),
        async commit(checks, writes) {
          if (dead) return new Promise<never>(() => undefined);
          dead = writes.some(({ path }) => /\/steps\/0*3$/.test(path));
          return below.commit(checks, writes);
        },
      }),
    });
    const { taskId } = await world.send('go');
    await world.work();
    expect(dead).toBe(true);
    const other = new World(agent, { below: world });
    await other.clock.advance(120_000);
    const task = await other.get(taskId);
    expect(task.artifacts).toMatchObject([{ artifactId: 'receipt', parts: [{ text: 'r-1' }] }]);
    expect(wordsIn(task)).toContain('paid');
  });

  it.each(['read', 'idempotent'] as const)(
    'by a call that runs again (%s) takes the place of what the lost attempt showed',
    async (effect) => {
      const { agent } = showing(effect, async ({ artifact, attempt }) => {
        await artifact(chunk(`${attempt}a;`));
        await artifact(chunk(`${attempt}b;`));
        await world.clock.advance(400);
        if (attempt === 1) throw new RetryLater('not yet', { delay: 10 });
        await artifact(chunk(`${attempt}c;`));
      });
      const world: World = new World(agent);
      const { taskId } = await world.send('go');
      await finish(world);
      expect(textOf((await world.get(taskId)).artifacts[0]?.parts)).toBe('1a;1b;');
      await world.clock.advance(11);
      await finish(world);
      const { artifacts } = await world.get(taskId);
      expect(artifacts).toHaveLength(1);
      expect(textOf(artifacts[0]?.parts)).toBe('2a;2b;2c;');
    },
  );

  it('belongs to its call: another one replaces an artifact of the same name, and never adds to it', async () => {
    const { agent } = showing(
      'idempotent',
      async ({ artifact, callId }) => {
        await artifact(chunk(`${callId.slice(-1)}a;`));
        await artifact(chunk(`${callId.slice(-1)}b;`));
      },
      [call('show'), call('show')],
    );
    const world = new World(agent);
    const { taskId } = await world.send('go');
    await finish(world);
    const { artifacts } = await world.get(taskId);
    expect(artifacts.map(({ parts }) => textOf(parts))).toEqual(['2a;2b;']);
  });

  it('side by side, each has its own artifacts', async () => {
    const { agent } = showing(
      'read',
      async ({ artifact, status }) => {
        await status('looking');
        await artifact({ parts: 'found' });
      },
      [call('show'), call('show'), call('show')],
    );
    const world = new World(agent);
    const { taskId } = await world.send('go');
    await finish(world);
    const task = await world.get(taskId);
    expect(task.artifacts.map(({ artifactId }) => artifactId)).toEqual([
      'artifact-call-2-1-1',
      'artifact-call-2-2-1',
      'artifact-call-2-3-1',
    ]);
    expect(wordsIn(task).filter((words) => words === 'looking')).toHaveLength(3);
  });

  it('stays when the tool fails, which is a result as any other', async () => {
    const { agent, model } = showing('read', async ({ artifact }) => {
      await artifact({ artifactId: 'half', parts: 'half of it' });
      throw new ToolError('the other half is gone');
    });
    const world = new World(agent);
    const { taskId } = await world.send('go');
    await finish(world);
    expect((await world.get(taskId)).artifacts).toMatchObject([{ artifactId: 'half' }]);
    expect(model.seen.at(-1)).toMatchObject({ status: 'error' });
  });

  it('is kept under the ceiling that the tool tightened to', async () => {
    const { agent } = showing('read', async ({ artifact, status, tighten }) => {
      await status('my secret plan');
      await tighten('redacted');
      await artifact({ artifactId: 'plan', parts: 'the secret plan' });
    });
    const world = new World(agent);
    const { taskId } = await world.send('go');
    await finish(world);
    const task = await world.get(taskId);
    expect(task.artifacts).toMatchObject([
      { artifactId: 'plan', parts: [{ text: 'the [removed] plan' }] },
    ]);
    expect(JSON.stringify(task)).not.toContain('secret');
  });

  it.each<[string, During, RegExp]>([
    ['a status without words', ({ status }) => status(''), /status is empty/],
    ['an artifact without parts', ({ artifact }) => artifact({ parts: [] }), /at least one part/],
    [
      'an artifact that is too large',
      ({ artifact }) => artifact({ parts: 'x'.repeat(9 * 1024 * 1024) }),
      /artifact .* has \d+/,
    ],
  ])(
    '%s is refused at its own line, and the model reads that the tool failed',
    async (_what, during, words) => {
      const thrown: unknown[] = [];
      const { agent, model } = showing('read', (given) =>
        during(given).catch((error: unknown) => {
          thrown.push(error);
          throw error;
        }),
      );
      const world = new World(agent);
      await world.send('go');
      await finish(world);
      expect(String(thrown[0])).toMatch(words);
      expect(model.seen.at(-1)).toMatchObject({ value: { error: 'The tool failed.' } });
    },
  );
});

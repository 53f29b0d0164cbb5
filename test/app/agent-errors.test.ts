import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  type AgentContext,
  defineAgent,
  defineTool,
  RetryLater,
  TaskFailed,
} from '../../shared/agent/index.ts';
import { Thrown } from '../../shared/ports/log.ts';
import { call, type Scripted, ScriptedModel } from '../../testing/scripted-model.ts';
import { World, type WorldOptions } from './world.ts';

type Run = NonNullable<Parameters<typeof defineAgent>[0]['run']>;

const agentOf = (run: Run) => defineAgent({ name: 'wrong', description: 'Goes wrong.', run });

/** Lines for the author of a run that came to its end, and the task as its caller has it. */
async function said(
  agent: ReturnType<typeof defineAgent>,
  options: WorldOptions = {},
  event = 'agent error',
) {
  const world = new World(agent, options);
  const { taskId } = await world.send('go');
  await world.work();
  const lines = world.logged
    .filter((line) => line.event === event)
    .map(({ fields }) => fields as Readonly<Record<string, unknown>>);
  const words = lines.map(({ error }) => (error instanceof Thrown ? error.error : undefined));
  return { lines, words, task: await world.get(taskId), logged: JSON.stringify(world.logged) };
}

const toolOf = (more: Partial<Parameters<typeof defineTool>[0]>) =>
  defineTool({
    name: 'pay',
    description: 'Pays.',
    effect: 'idempotent',
    parameters: z.object({ to: z.string() }),
    run: () => 'paid',
    ...more,
  });

const modelled = (tool: ReturnType<typeof defineTool>, ...turns: readonly Scripted[]) =>
  defineAgent({
    name: 'wrong',
    description: 'Goes wrong.',
    instructions: 'Pay.',
    tools: [tool],
    model: new ScriptedModel(...turns),
  });

const pays = [{ calls: [call('pay', { to: 'Ada' })] }, { text: 'done' }];

describe('what an agent throws', () => {
  it.each<[string, Run, object]>([
    ['a mistake', () => JSON.parse('null').a.b as string, { fault: 'TypeError' }],
    ['a result that is no parts', () => 42 as never, { fault: 'TypeError' }],
    [
      'what a provider refused',
      () => {
        throw Object.assign(new Error('secret words'), { name: 'APIError', status: 401 });
      },
      { fault: 'APIError', status: 401 },
    ],
    [
      'a wrapped answer of a client',
      () => {
        const cause = Object.assign(new Error('secret words'), { response: { status: 503 } });
        throw new Error('secret words', { cause });
      },
      { fault: 'Error', status: 503 },
    ],
    [
      'an error whose name is content',
      () => {
        throw Object.assign(new Error('secret words'), { name: 'secret words' });
      },
      { fault: 'Error' },
    ],
    [
      'what is no error',
      () => {
        throw 'secret words' as unknown as Error;
      },
      { fault: 'string' },
    ],
    [
      'an error that throws when it is looked at',
      () => {
        throw Object.defineProperty(new Error('secret words'), 'name', {
          get() {
            throw new Error('secret words');
          },
        });
      },
      { fault: 'Error' },
    ],
  ])('%s ends its task, and its author is told', async (_, run, facts) => {
    const { lines, logged, task, words } = await said(agentOf(run));
    expect(task).toMatchObject({
      status: { state: 'FAILED' },
      metadata: { reason: 'AGENT_FAILED' },
    });
    expect(lines).toMatchObject([{ agent: 'wrong', where: 'agent', attempt: 1, ...facts }]);
    expect(words).not.toEqual([undefined]);
    // Its words are in no log that goes elsewhere, and in no answer.
    expect(logged + JSON.stringify(task)).not.toContain('secret words');
  });

  it('for its caller is told to its author, too, with the cause', async () => {
    const cause = new Error('disk');
    const { task, words } = await said(
      agentOf(() => {
        throw new TaskFailed('no table', { cause });
      }),
    );
    expect(task.status.message?.parts).toEqual([{ text: 'no table' }]);
    expect(words).toMatchObject([{ message: 'no table', cause }]);
  });

  it('for another try is said with that try', async () => {
    const { lines, words } = await said(
      agentOf(() => {
        throw new RetryLater('upstream 503');
      }),
      {},
      'segment is tried again',
    );
    expect(lines).toMatchObject([{ attempt: 1, fault: 'RetryLater' }]);
    expect(words).toMatchObject([{ message: 'upstream 503' }]);
  });

  it.each<[string, (ctx: AgentContext) => unknown]>([
    ['when it shows something', (ctx) => ctx.status('still here')],
    ['when it waits for the signal', ({ signal }) => wait(60_000, undefined, { signal })],
    ['when it looks at the signal', ({ signal }) => signal.throwIfAborted()],
  ])('after its task was cancelled, %s, is nothing to be told', async (_, goesOn) => {
    const world = new World(
      agentOf(async (ctx) => {
        await world.service.cancel(world.principal, ctx.taskId);
        await world.clock.advance(world.app.settings.leaseRenewal);
        await goesOn(ctx);
        return 'done';
      }),
    );
    await world.send('go');
    await world.work();
    expect(world.logged.filter(({ event }) => event === 'agent error')).toEqual([]);
  });

  it('of that kind while nothing stops it is told as any other', async () => {
    const { lines } = await said(agentOf(() => AbortSignal.abort().throwIfAborted()));
    expect(lines).toMatchObject([{ where: 'agent', fault: 'AbortError' }]);
  });
});

describe('what a tool throws', () => {
  it.each<[string, Parameters<typeof toolOf>[0], object]>([
    [
      'in its run',
      {
        run: () => {
          throw new RangeError('secret words');
        },
      },
      { fault: 'RangeError' },
    ],
    ['as a result that is no JSON', { run: () => () => 1 }, { fault: 'TypeError' }],
    [
      'in its summary',
      {
        approval: true,
        summary: () => {
          throw new TypeError('secret words');
        },
      },
      { fault: 'TypeError' },
    ],
    [
      'when it is asked for approval',
      {
        approval: () => {
          throw new TypeError('secret words');
        },
      },
      { fault: 'TypeError' },
    ],
    [
      'when its arguments are checked',
      {
        parameters: z.object({
          to: z.string().refine(() => {
            throw new SyntaxError('secret words');
          }),
        }),
      },
      { fault: 'SyntaxError' },
    ],
  ])('%s is told to its author, with the tool', async (_, tool, facts) => {
    const { lines, logged, words } = await said(modelled(toolOf(tool), ...pays));
    expect(lines).toMatchObject([{ where: 'tool', tool: 'pay', ...facts }]);
    expect(words).not.toEqual([undefined]);
    expect(logged).not.toContain('secret words');
  });
});

describe('what a model answers', () => {
  it('and can not be used is told to author and model, with what is wrong', async () => {
    const model = new ScriptedModel({ text: 5 as never }, { text: 'done' });
    const agent = defineAgent({ name: 'wrong', description: 'W.', instructions: '', model });
    const { lines, task, words } = await said(agent);
    expect(task.status.state).toBe('COMPLETED');
    expect(lines).toMatchObject([{ where: 'turn', fault: 'UnusableTurn' }]);
    const problem = expect.stringContaining('text: ') as string;
    expect(words).toMatchObject([{ message: problem }]);
    expect(model.requests.at(-1)?.transcript.at(-1)).toEqual({ role: 'notice', text: problem });
  });

  it('by throwing is told with the status', async () => {
    const agent = defineAgent({
      name: 'wrong',
      description: 'W.',
      instructions: '',
      model: {
        name: 'gem',
        turn: () => Promise.reject(Object.assign(new Error('secret words'), { statusCode: 400 })),
      },
    });
    const { lines, logged, task } = await said(agent);
    expect(task.status.state).toBe('FAILED');
    expect(lines).toMatchObject([{ where: 'model', model: 'gem', status: 400 }]);
    expect(logged).not.toContain('secret words');
  });
});

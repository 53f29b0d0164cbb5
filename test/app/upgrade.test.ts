import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  defineAgent,
  type DefinedAgent,
  defineTool,
  type EventDeclarations,
  RetryLater,
  type StepsAgentDeclaration,
} from '../../shared/agent/index.ts';
import { deliverEvent } from '../../shared/app/operators/deliver-event.ts';
import { rightsOf } from '../../shared/app/operators/operator-rights.ts';
import { sweep } from '../../shared/app/worker/sweep.ts';
import type { Run } from '../../shared/domain/run.ts';
import { checkUpgrade } from '../../testing/check-upgrade.ts';
import { call, ScriptedModel } from '../../testing/scripted-model.ts';
import { remoteAt } from '../fixtures/remotes/remote.ts';
import { decide, everythingGranted, finish, rowOf } from './turn-loop-world.ts';
import { World } from './world.ts';

type Steps = StepsAgentDeclaration['steps'];
type More = Partial<Omit<StepsAgentDeclaration, 'steps'>>;

const HOUR = 3_600_000;
const grants = everythingGranted;
const flow = (steps: Steps, more: More = {}): DefinedAgent =>
  defineAgent({ name: 'flow', description: 'Works in steps.', ...more, steps });

async function begun(agent: DefinedAgent) {
  const world = new World(agent, { grants });
  const { taskId } = await world.send('go');
  await finish(world);
  return { world, taskId };
}

/** The next release takes over, over the same rows. */
async function released(before: World, agent: DefinedAgent): Promise<World> {
  const world = new World(agent, { below: before, grants });
  await world.clock.advance(before.clock.now() - world.clock.now());
  return world;
}

type Act = (world: World, taskId: string) => Promise<unknown>;

const approve: Act = (world, taskId) => decide(world, taskId, 'approve');
/** What ends the run is found out by the decision itself. */
const refused: Act = (world, taskId) =>
  expect(approve(world, taskId)).rejects.toThrow('the task is FAILED');
const input =
  (value: string | { readonly [name: string]: number }): Act =>
  (world, taskId) =>
    decide(world, taskId, 'input', value);
const hourPasses: Act = (world) => world.clock.advance(HOUR);
const deliver =
  (name: string, data: number): Act =>
  (world, taskId) => {
    const operator = { subject: 'olga', rights: rightsOf(world.app, 'olga') };
    return deliverEvent(world.app, operator, taskId, { name, data, id: undefined });
  };

interface Case {
  readonly first: DefinedAgent;
  readonly before?: Act;
  readonly second: DefinedAgent;
  readonly says: string;
  /** What it waits for comes. */
  readonly next: Act;
  readonly becomes: string;
}

/** What became of it, in the words of the verdicts where there are some. */
async function fateOf(world: World, taskId: string): Promise<string> {
  const run: Run = await rowOf(world, taskId);
  if (run.blocked !== undefined)
    return run.blocked.changes.map(({ kind, name }) => `held ${kind} ${name}`).join();
  if (run.status === 'failed') return `failed ${run.reason}`;
  const { status } = await world.get(taskId);
  const [part] = status.message?.parts ?? [];
  return `${run.status} ${part !== undefined && 'text' in part ? part.text : ''}`.trim();
}

/** The verdict, and what happens when the second release takes over for real. */
async function predicted({ before, first, next: comes, second }: Omit<Case, 'says' | 'becomes'>) {
  const { taskId, world } = await begun(first);
  await before?.(world, taskId);
  await finish(world);
  const rows = () => JSON.stringify(world.backend.everything());
  const untouched = rows();
  const [found] = await checkUpgrade(world.app, [second]);
  expect(rows()).toBe(untouched);
  const next = await released(world, second);
  await comes(next, taskId);
  await sweep(next.app);
  await finish(next);
  return { said: `${found?.verdict}: ${found?.why}`, fate: await fateOf(next, taskId), found };
}

const pay = (amount: number, summary = 'Pay.') => ({ summary, details: { amount } });
const original: Steps = async (ctx) => {
  const read = await ctx.step('read', () => 'an order');
  const { approved } = await ctx.approve('pay', pay(10));
  return `${read} ${approved}`;
};
const waits = flow(original);

describe('a run of steps is said to go the way that it goes', () => {
  it.each<[string, Case]>([
    [
      'where the code behind its wait is other code',
      {
        first: waits,
        second: flow(async (ctx) => {
          await ctx.step('read', () => 'another order');
          await ctx.approve('pay', pay(10));
          return ctx.step('note', () => 'noted');
        }),
        says: 'goes on: as before from: 2 approve pay',
        next: approve,
        becomes: 'completed noted',
      },
    ],
    [
      'where a step has another name',
      {
        first: waits,
        second: flow(async (ctx) => {
          await ctx.step('look', () => 1);
          await ctx.approve('pay', pay(10));
        }),
        says: 'held: step 1 step read is changed (step look)',
        next: approve,
        becomes: 'held step 1 step read',
      },
    ],
    [
      'where its operations have another order',
      {
        first: waits,
        second: flow(async (ctx) => {
          await ctx.approve('pay', pay(10));
          await ctx.step('read', () => 1);
        }),
        says: 'held: step 1 step read is changed (approve pay)',
        next: approve,
        becomes: 'held step 1 step read',
      },
    ],
    [
      'where it ends before',
      {
        first: waits,
        second: flow((ctx) => ctx.step('read', () => 'all')),
        says: 'held: step 2 approve pay is gone',
        next: approve,
        becomes: 'held step 2 approve pay',
      },
    ],
    [
      'where the approval is for something else',
      {
        first: waits,
        second: flow(async (ctx) => {
          await ctx.step('read', () => 1);
          await ctx.approve('pay', pay(1_000));
        }),
        says: 'held: step 2 approve pay is changed (approve pay)',
        next: approve,
        becomes: 'held step 2 approve pay',
      },
    ],
    [
      'where it throws before',
      {
        first: waits,
        second: flow(() => Promise.reject(new Error('secret words'))),
        says: 'held: step 1 step read is gone',
        next: approve,
        becomes: 'held step 1 step read',
      },
    ],
    [
      'where it branches there',
      {
        first: waits,
        second: flow(async (ctx) => void (await ctx.all([(one) => one.step('read', () => 1)]))),
        says: 'held: step 1 step read is changed (all)',
        next: approve,
        becomes: 'held step 1 step read',
      },
    ],
    [
      'where a branch that does not wait has changed',
      {
        first: flow(
          async (ctx) =>
            void (await ctx.all([(a) => a.approve('pay', pay(1)), (b) => b.step('b', () => 1)])),
        ),
        second: flow(
          async (ctx) =>
            void (await ctx.all([(a) => a.approve('pay', pay(1)), (b) => b.step('c', () => 1)])),
        ),
        says: 'held: step 1.2.1 step b is changed (step c)',
        next: approve,
        becomes: 'held step 1.2.1 step b',
      },
    ],
    [
      'where a sleep is left out',
      {
        first: flow(async (ctx) => ctx.sleep('1 h')),
        second: flow(async () => 'done'),
        says: 'held: step 1 sleep is gone',
        next: hourPasses,
        becomes: 'held step 1 sleep',
      },
    ],
    [
      'where it sleeps, and steps follow that sleep',
      {
        first: flow(async (ctx) => ctx.sleep('1 h')),
        second: flow(async (ctx) => {
          await ctx.sleep('9 h');
          return ctx.step('later', () => 'later');
        }),
        says: 'goes on: as before from: 1 sleep',
        next: hourPasses,
        becomes: 'completed later',
      },
    ],
    [
      'where an answer that it went on with does not fit any more',
      {
        first: flow(async (ctx) => {
          await ctx.ask('How many?', z.object({ n: z.number() }));
          await ctx.approve('pay', pay(1));
        }),
        before: input({ n: 7 }),
        second: flow(async (ctx) => {
          await ctx.ask('How many?', z.object({ n: z.number().max(3) }));
          await ctx.approve('pay', pay(1));
        }),
        says: 'held: step 1 ask is changed (ask)',
        next: approve,
        becomes: 'held step 1 ask',
      },
    ],
    [
      'where its question has another schema',
      {
        first: flow(
          async (ctx) => `${(await ctx.ask('How many?', z.object({ n: z.number() }))).n}`,
        ),
        second: flow(async (ctx) => `${(await ctx.ask('Whose?', z.object({ m: z.number() }))).m}`),
        says: 'differs: 1 ask has another schema: an answer that does not fit it is asked for again',
        next: input({ n: 1 }),
        becomes: 'waiting_for_input Whose?',
      },
    ],
    [
      'where its limit is lower',
      {
        first: waits,
        second: flow(original, { limits: { rounds: 1 } }),
        says: 'fails: ROUNDS_EXCEEDED',
        next: approve,
        becomes: 'failed ROUNDS_EXCEEDED',
      },
    ],
    [
      'where nothing of its result may be kept',
      {
        first: waits,
        second: flow(original, { publication: { task: 'none' } }),
        says: 'fails: RESULT_NOT_KEPT',
        next: refused,
        becomes: 'failed RESULT_NOT_KEPT',
      },
    ],
    [
      'where its answers are redacted from now on',
      {
        first: flow(original),
        second: flow(
          async (ctx) => {
            await original(ctx);
            return 'a secret';
          },
          { publication: { task: 'redacted' } },
        ),
        says: 'differs: its answers are redacted from now on (answer redacted)',
        next: approve,
        becomes: 'completed a [removed]',
      },
    ],
    [
      'where its agent has become a function without steps',
      {
        first: waits,
        second: defineAgent({ name: 'flow', description: 'A function.', run: () => 'anew' }),
        says: 'differs: its agent begins anew: it has no steps any more',
        next: approve,
        becomes: 'completed anew',
      },
    ],
    [
      'where its agent has become a model',
      {
        first: waits,
        second: defineAgent({
          name: 'flow',
          description: 'A model.',
          model: new ScriptedModel('anew'),
          instructions: '',
        }),
        says: 'held: step 1 step read is changed (a model)',
        next: approve,
        becomes: 'held step 1 step read',
      },
    ],
  ])('%s', async (_, each) => {
    const { fate, said } = await predicted(each);
    expect([said, fate]).toEqual([each.says, each.becomes]);
  });

  it('where its agent is gone, which waited for no one before', async () => {
    const { world } = await begun(flow(async (ctx) => ctx.sleep('1 h')));
    const [found] = await checkUpgrade(world.app, []);
    expect(found).toMatchObject({ verdict: 'fails', why: 'AGENT_UNKNOWN' });
  });

  it('where its agent is gone, which has waited', async () => {
    const { world } = await begun(waits);
    const [found] = await checkUpgrade(world.app, []);
    expect(found).toMatchObject({ verdict: 'held', why: 'agent flow is gone' });
  });

  it('and says where the code asks for something else, and no word of what it threw', async () => {
    const { world } = await begun(waits);
    const [found] = await checkUpgrade(world.app, [
      flow(() => Promise.reject(new Error('secret words'))),
    ]);
    expect(found?.line).toMatch(/^test\/app\/upgrade\.test\.ts:\d+:\d+$/);
    expect(JSON.stringify(found)).not.toContain('secret');
  });
});

describe('events of a run', () => {
  const events = (schema: z.ZodType): EventDeclarations => ({ paid: { schema } });
  const eventful = (schema: z.ZodType, steps: Steps = paid) =>
    flow(steps, { events: events(schema) });
  const paid: Steps = async (ctx) => {
    await ctx.approve('pay', pay(1));
    return `paid ${String(await ctx.event('paid'))}`;
  };

  it.each<[string, Case]>([
    [
      'that came early and are refused by the schema of now',
      {
        first: eventful(z.number()),
        before: deliver('paid', 7),
        second: eventful(z.number().max(3)),
        says: 'differs: the event paid that was delivered (1) does not fit its schema any more',
        next: approve,
        becomes: 'failed AGENT_FAILED',
      },
    ],
    [
      'that came early and fit',
      {
        first: eventful(z.number()),
        before: deliver('paid', 2),
        second: eventful(z.number().max(3)),
        says: 'goes on: as before from: 1 approve pay',
        next: approve,
        becomes: 'completed paid 2',
      },
    ],
    [
      'that are waited for and not declared any more',
      {
        first: eventful(z.number()),
        before: approve,
        second: flow(paid),
        says: 'held: step 2 event paid is gone',
        next: deliver('paid', 1),
        becomes: 'queued',
      },
    ],
    [
      'that are waited for under another name',
      {
        first: eventful(z.number()),
        before: approve,
        second: flow(
          async (ctx) => {
            await ctx.approve('pay', pay(1));
            await ctx.event('settled');
          },
          { events: { settled: { schema: z.number() }, paid: { schema: z.number() } } },
        ),
        says: 'held: step 2 event paid is changed (event settled)',
        next: deliver('paid', 1),
        becomes: 'held step 2 event paid',
      },
    ],
  ])('%s', async (_, each) => {
    const { fate, said } = await predicted(each);
    expect([said, fate]).toEqual([each.says, each.becomes]);
  });
});

describe('a run that waits for another agent, or for a yes to call one', () => {
  const calls =
    (words: string): Steps =>
    async (ctx) =>
      (await ctx.call('peer', words)).status;
  const remotes = [remoteAt('https://peer.example/card', { approval: true })];

  it.each<[string, Case]>([
    [
      'is held where that is gone',
      {
        first: flow(calls('please'), { remotes }),
        second: flow(calls('please')),
        says: 'held: remote peer is gone',
        next: approve,
        becomes: 'held remote peer',
      },
    ],
    [
      'is held where that has another card',
      {
        first: flow(calls('please'), { remotes }),
        second: flow(calls('please'), {
          remotes: [remoteAt('https://other.example/card', { approval: true })],
        }),
        says: 'held: remote peer is changed (card)',
        next: approve,
        becomes: 'held remote peer',
      },
    ],
    [
      'is held where its message is another',
      {
        first: flow(calls('please'), { remotes }),
        second: flow(calls('now'), { remotes }),
        says: 'held: step 1 call peer is changed (call peer)',
        next: approve,
        becomes: 'held step 1 call peer',
      },
    ],
  ])('%s', async (_, each) => {
    const { fate, said } = await predicted(each);
    expect([said, fate]).toEqual([each.says, each.becomes]);
  });
});

describe('a run of a model is said to go the way that it goes', () => {
  const tool = (name: string, parameters: z.ZodObject, approval: boolean, run: () => string) =>
    defineTool({ name, description: 'Pays.', parameters, effect: 'read', approval, run });
  const modelled = (...tools: ReturnType<typeof tool>[]) =>
    defineAgent({
      name: 'flow',
      description: 'Works in turns.',
      model: new ScriptedModel({ calls: [call('pay', { euros: 5 })] }, 'done'),
      instructions: 'Pay.',
      tools,
    });
  const euros = z.object({ euros: z.number() });
  const paid = () => 'paid';
  const later = (): never => {
    throw new RetryLater('not now', { delay: HOUR });
  };

  it.each<[string, Case]>([
    [
      'where its tool is as it was',
      {
        first: modelled(tool('pay', euros, true, paid)),
        second: modelled(tool('pay', euros, true, paid), tool('look', euros, false, paid)),
        says: 'goes on: as before from: call pay',
        next: approve,
        becomes: 'completed done',
      },
    ],
    [
      'where its tool is gone',
      {
        first: modelled(tool('pay', euros, true, paid)),
        second: modelled(),
        says: 'held: tool pay is gone',
        next: approve,
        becomes: 'held tool pay',
      },
    ],
    [
      'where its tool takes other parameters',
      {
        first: modelled(tool('pay', euros, true, paid)),
        second: modelled(tool('pay', z.object({ cents: z.number() }), true, paid)),
        says: 'held: tool pay is changed (parameters)',
        next: approve,
        becomes: 'held tool pay',
      },
    ],
    [
      'where a call that no one was asked about is gone',
      {
        first: modelled(tool('pay', euros, false, later)),
        second: modelled(),
        says: 'differs: the call of pay is refused: its tool is gone',
        next: hourPasses,
        becomes: 'completed done',
      },
    ],
    [
      'where such a call does not fit any more',
      {
        first: modelled(tool('pay', euros, false, later)),
        second: modelled(tool('pay', z.object({ cents: z.number() }), false, paid)),
        says: 'differs: the call of pay is refused: its arguments do not fit any more',
        next: hourPasses,
        becomes: 'completed done',
      },
    ],
    [
      'where its agent has become a function of steps, whatever its tools',
      {
        first: modelled(tool('pay', euros, true, paid)),
        second: flow(async (ctx) => ctx.step('read', () => 'anew')),
        says: 'held: tool pay is gone',
        next: approve,
        becomes: 'held tool pay',
      },
    ],
    [
      'where it has become one after a call that no one was asked about',
      {
        first: modelled(tool('pay', euros, false, later)),
        second: flow(async (ctx) => ctx.step('read', () => 'anew')),
        says: "held: step call-2-1 a model's turn is changed (a function of steps)",
        next: hourPasses,
        becomes: "held step call-2-1 a model's turn",
      },
    ],
  ])('%s', async (_, each) => {
    const { fate, said } = await predicted(each);
    expect([said, fate]).toEqual([each.says, each.becomes]);
  });
});

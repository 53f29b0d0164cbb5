import { expect, it } from 'vitest';
import { defineAgent, defineRemote } from '../shared/agent/index.ts';
import { createWorld, everyCrash, ScriptedRemote } from './index.ts';

const remotes = [
  defineRemote({
    name: 'carrier',
    description: 'Ships.',
    card: 'https://carrier.example/card',
    approval: false,
  }),
];

function orderFlow(payment: 'once' | 'idempotent') {
  return defineAgent({
    name: 'order',
    description: 'Takes orders.',
    remotes,
    async steps(ctx) {
      await ctx.step('reserve', () => 'reserved');
      await ctx.approve('pay', { summary: 'Pay.' });
      await ctx.step('pay', () => 'paid', { effect: payment });
      await ctx.sleep('2 h');
      const { status } = await ctx.call('carrier', 'ship it');
      return `Shipped: ${status}.`;
    },
  });
}

function report(payment: 'once' | 'idempotent', seen: string[] = []) {
  return everyCrash(
    () => ({
      agents: [orderFlow(payment)],
      remotes: { carrier: new ScriptedRemote({ after: '5 min' }) },
    }),
    async (world) => {
      const { taskId } = await world.send('a lamp');
      await world.operator.approve(taskId);
      const { reason, state, text } = await world.settled(taskId);
      seen.push(reason || text);
      expect(['COMPLETED', 'FAILED']).toContain(state);
    },
  );
}

it('a crash at each commit repeats what may run twice, and says so by name and kind', async () => {
  const { commits, crashes, repeated } = await report('idempotent');
  expect(commits).toBeGreaterThan(10);
  expect(crashes).toBe(2 * commits);
  expect(repeated.map(({ effect, kind, name, times }) => [kind, name, effect, times])).toEqual(
    expect.arrayContaining([
      ['step', 'pay', 'idempotent', 2],
      ['step', 'reserve', 'idempotent', 2],
    ]),
  );
  expect(repeated).toHaveLength(2);
  // The worker was lost between the step and the commit that keeps what it returned.
  expect(repeated.map((each) => each.crashes.map(({ when }) => when))).toEqual([
    ['before'],
    ['before'],
  ]);
});

it('what must not run twice does not, and costs the run where its outcome is not known', async () => {
  const seen: string[] = [];
  const { repeated } = await report('once', seen);
  expect(repeated.map(({ name }) => name)).toEqual(['reserve']);
  // A message that may have left is looked for, and given up at its deadline.
  expect(new Set(seen)).toEqual(
    new Set(['Shipped: completed.', 'Shipped: timeout.', 'EFFECT_UNKNOWN']),
  );
});

it('a scenario that does not hold names the crash', async () => {
  const agent = defineAgent({ name: 'one', description: 'Works.', run: () => 'Done.' });
  const late = everyCrash(
    () => ({ agents: [agent] }),
    async (world) => {
      const before = world.now().getTime();
      await world.send('go');
      expect(world.now().getTime(), 'time').toBe(before);
    },
  );
  await expect(late).rejects.toThrow(
    /^a process that is lost (before|after) commit \d+ of \d+: time/,
  );
});

it('a world whose process was lost goes on in another one', async () => {
  const ran: number[] = [];
  const agent = defineAgent({
    name: 'one',
    description: 'Works.',
    run: () => void ran.push(ran.length),
  });
  const world = createWorld({ agents: [agent] });
  world.crashAt(3, 'before');
  const { state } = await world.send('go');
  expect([state, ran]).toEqual(['COMPLETED', [0, 1]]);
  await world.close();
});

import { expect, it } from 'vitest';
import { z } from 'zod';
import {
  defineAgent,
  defineMcp,
  defineTool,
  type Model,
  RetryLater,
} from '../shared/agent/index.ts';
import { call, createWorld, Refusal, ScriptedModel, ScriptedToolServer } from './index.ts';

const greeter = defineAgent({
  name: 'greeter',
  description: 'Greets you by name.',
  async run(ctx) {
    if (ctx.text.trim() === '') ctx.ask('What is your name?');
    await ctx.artifact({ name: 'greeting', parts: `Hello, ${ctx.text.trim()}!` });
    return 'Greeted.';
  },
});

it('an agent asks, and ends with what it is answered', async () => {
  const world = createWorld({ agents: [greeter] });
  const asked = await world.send(' ');
  expect(asked).toMatchObject({ state: 'INPUT_REQUIRED', text: 'What is your name?' });
  const done = await world.answer(asked.taskId, 'Ada');
  expect(done).toMatchObject({ state: 'COMPLETED', text: 'Greeted.' });
  expect(done.artifacts[0]?.parts).toEqual([{ text: 'Hello, Ada!' }]);
});

it('a caller sees its own tasks alone', async () => {
  const world = createWorld({ agents: [greeter] });
  const { taskId } = await world.as('ada').send('Ada');
  await expect(world.get(taskId)).rejects.toThrow(Refusal);
  expect(await world.list()).toEqual([]);
  expect(await world.as('ada').list()).toMatchObject([{ taskId }]);
});

it('time passes where the test says so, and an agent sleeps through it', async () => {
  const nights: string[] = [];
  const sleeper = defineAgent({
    name: 'sleeper',
    description: 'Counts nights.',
    async steps(ctx) {
      for (let night = 1; night <= 3; night += 1) {
        await ctx.sleep('1 d');
        await ctx.step('count', ({ now }) => void nights.push(now.toISOString().slice(0, 10)));
      }
      return 'Awake.';
    },
  });
  const world = createWorld({ agents: [sleeper], clock: new Date('2027-03-01T20:00:00Z') });
  const { taskId } = await world.send('sleep');
  await world.advance('1 d');
  expect(nights).toEqual(['2027-03-02']);
  expect((await world.settled(taskId)).state).toBe('COMPLETED');
  expect(nights).toEqual(['2027-03-02', '2027-03-03', '2027-03-04']);
  expect(world.now().toISOString()).toBe('2027-03-04T20:00:00.000Z');
  expect(world.effects.map(({ effect, kind, name }) => `${kind} ${name} ${effect}`)).toEqual([
    'step count idempotent',
    'step count idempotent',
    'step count idempotent',
  ]);
});

it('what may pass is tried again when time passes', async () => {
  const tries: number[] = [];
  const agent = defineAgent({
    name: 'stubborn',
    description: 'Tries.',
    run() {
      tries.push(tries.length);
      if (tries.length < 3) throw new RetryLater('not yet', { delay: 45_000 });
      return 'Done.';
    },
  });
  const world = createWorld({ agents: [agent] });
  const { state, taskId } = await world.send('go');
  expect(state).toBe('WORKING');
  expect((await world.settled(taskId)).state).toBe('COMPLETED');
  expect(tries).toEqual([0, 1, 2]);
});

const pay = defineTool({
  name: 'pay',
  description: 'Pays.',
  parameters: z.object({ euros: z.number() }),
  effect: 'once',
  approval: true,
  summary: ({ euros }) => `Pay ${euros} euros.`,
  run: ({ euros }) => `paid ${euros}`,
});

const clerk = defineAgent({
  name: 'clerk',
  description: 'Pays.',
  model: new ScriptedModel(),
  instructions: 'Pay.',
  tools: [pay],
});

it('a model follows its script, and what it wants done waits for an operator', async () => {
  const model = new ScriptedModel({ calls: [call('pay', { euros: 12 })] }, { text: 'Paid.' });
  const world = createWorld({ agents: [clerk], models: { clerk: model } });
  const { state, taskId } = await world.send('pay Ada');
  expect(state).toBe('AUTH_REQUIRED');
  expect(await world.operator.inbox()).toMatchObject([
    {
      kind: 'approval',
      taskId,
      calls: [{ tool: 'pay', summary: 'Pay 12 euros.', arguments: { euros: 12 } }],
    },
  ]);
  expect(world.effects).toEqual([]);
  await world.operator.approve(taskId);
  expect(await world.get(taskId)).toMatchObject({ state: 'COMPLETED', text: 'Paid.' });
  expect(world.effects).toMatchObject([{ kind: 'tool', name: 'pay', effect: 'once' }]);
  expect(await world.operator.inbox()).toEqual([]);
});

it('a task is cancelled while its agent is at work', async () => {
  const world = createWorld({
    agents: [
      defineAgent({
        name: 'busy',
        description: 'Works.',
        async run(ctx) {
          await ctx.status('Busy.');
          await gate.pass();
          ctx.signal.throwIfAborted();
          return 'Done.';
        },
      }),
    ],
  });
  const gate = world.gate();
  const { taskId } = await world.send('work');
  expect(gate.waiting).toBe(1);
  const stream = await world.stream(taskId);
  await world.advance('1 s');
  expect((await world.get(taskId)).text).toBe('Busy.');
  expect((await world.cancel(taskId)).state).toBe('CANCELED');
  expect([stream.states.at(-1), stream.ended]).toEqual(['CANCELED', true]);
});

it('an agent that works for real is waited for', async () => {
  const agent = defineAgent({
    name: 'real',
    description: 'Waits for a timer of the machine.',
    async run() {
      await new Promise((resolve) => setTimeout(resolve, 20));
      return 'Done.';
    },
  });
  const world = createWorld({ agents: [agent] });
  expect((await world.send('go')).state).toBe('COMPLETED');
});

it('a failed run is tried once more from its last good step', async () => {
  let fails = true;
  const agent = defineAgent({
    name: 'order',
    description: 'Takes orders.',
    async steps(ctx) {
      await ctx.step('reserve', () => 'reserved');
      await ctx.step('ship', () => {
        if (fails) throw new TypeError('no carrier');
      });
      return 'Shipped.';
    },
  });
  const world = createWorld({ agents: [agent] });
  const { state, taskId } = await world.send('a lamp');
  expect(state).toBe('FAILED');
  fails = false;
  const again = await world.operator.retry(taskId);
  expect((await world.get(again)).state).toBe('COMPLETED');
  expect(world.effects.map(({ name }) => name)).toEqual(['reserve', 'ship', 'ship']);
});

it('the same seed makes the same ids', async () => {
  const [one, same, other] = await Promise.all(
    [7, 7, 8].map(
      async (seed) => (await createWorld({ agents: [greeter], seed }).send('Ada')).taskId,
    ),
  );
  expect(same).toBe(one);
  expect(other).not.toBe(one);
});

it('what a world is not given is named', async () => {
  const model = new ScriptedModel();
  expect(() => createWorld({ agents: [greeter], models: { greeter: model } })).toThrow(
    'no agent with a model',
  );
  expect(() => createWorld({ agents: [clerk], models: { clark: model } })).toThrow(
    'no agent clark',
  );
  await expect(createWorld({ agents: [greeter] }).send('hi', { agent: 'nobody' })).rejects.toThrow(
    'this world has greeter',
  );
});

it('a function takes the events that operators and its owner deliver, each once', async () => {
  const agent = defineAgent({
    name: 'shop',
    description: 'Waits for payments.',
    events: { paid: { schema: z.object({ euros: z.number() }), owner: true } },
    async steps(ctx) {
      const one = await ctx.event('paid');
      const two = await ctx.event('paid');
      const none = await ctx.event('paid', { timeout: '7 d' });
      return `${one.euros} ${two.euros} ${none?.euros ?? 'none'}`;
    },
  });
  const world = createWorld({ agents: [agent] });
  const { taskId } = await world.send('a lamp');
  await world.event(taskId, 'paid', { euros: 12 });
  await world.operator.event(taskId, 'paid', { euros: 7 }, 'transfer-1');
  await world.operator.event(taskId, 'paid', { euros: 7 }, 'transfer-1');
  await expect(world.event(taskId, 'paid', { euros: 'many' })).rejects.toThrow(Refusal);
  expect(await world.settled(taskId)).toMatchObject({ state: 'COMPLETED', text: '12 7 none' });
  expect(world.now().toISOString()).toBe('2027-01-22T08:00:00.000Z');
  await world.close();
});

it('a model calls the tools of a server that the test plays', async () => {
  const stock = new ScriptedToolServer();
  stock.offer(
    { name: 'count', readOnly: true },
    ({ article }) => `3 of ${JSON.stringify(article)}`,
  );
  const keeper = defineAgent({
    name: 'keeper',
    description: 'Counts.',
    instructions: 'Count.',
    model: new ScriptedModel({ calls: [call('stock_count', { article: 'lamp' })] }),
    mcp: [defineMcp({ name: 'stock', url: 'https://stock.example/mcp' })],
  });
  const world = createWorld({ agents: [keeper], mcp: { stock } });
  expect((await world.send('count lamps')).state).toBe('COMPLETED');
  expect(stock.calls).toEqual([{ tool: 'count', given: { article: 'lamp' } }]);
  expect(world.effects).toMatchObject([{ kind: 'tool', name: 'stock_count', effect: 'read' }]);
  await world.close();
});

it('what another release would do with open tasks is said beforehand, and nothing of it runs', async () => {
  const ran: string[] = [];
  const order = (first: string) =>
    defineAgent({
      name: 'order',
      description: 'Takes orders.',
      async steps(ctx) {
        await ctx.step(first, () => void ran.push(first));
        const { approved } = await ctx.approve('pay', { summary: 'Pay.' });
        return ctx.step('ship', () => `shipped ${String(approved)}`);
      },
    });
  const world = createWorld({ agents: [order('reserve')] });
  const { taskId } = await world.send('a lamp');
  expect(await world.checkUpgrade([order('reserve')])).toEqual([
    { taskId, agent: 'order', verdict: 'goes on', why: 'as before from: 2 approve pay' },
  ]);
  expect(await world.checkUpgrade([order('look')])).toEqual([
    {
      taskId,
      agent: 'order',
      verdict: 'held',
      why: 'step 1 step reserve is changed (step look)',
      line: expect.stringMatching(/^testing\/world\.test\.ts:\d+:\d+$/) as string,
    },
  ]);
  expect(await world.checkUpgrade([greeter])).toMatchObject([{ why: 'agent order is gone' }]);
  expect(ran).toEqual(['reserve']);
  await world.operator.approve(taskId);
  expect(await world.settled(taskId)).toMatchObject({ text: 'shipped true' });
  expect(await world.checkUpgrade([greeter])).toEqual([]);
  await world.close();
});

it('a model that waits between its words is waited for', async () => {
  const slow: Model = {
    name: 'slow',
    async turn(_request, _signal, { after, draft }) {
      for (const word of ['Once ', 'upon ', 'a time.']) {
        await draft?.write(word);
        await new Promise<void>((resolve) => void after(1, resolve));
      }
      return { text: 'Once upon a time.' };
    },
  };
  const teller = defineAgent({
    name: 'teller',
    description: 'Tells.',
    instructions: 'Tell.',
    model: slow,
    stream: true,
  });
  const world = createWorld({ agents: [teller] });
  const { artifacts, state } = await world.send('a story');
  expect([state, artifacts[0]?.parts]).toEqual(['COMPLETED', [{ text: 'Once upon a time.' }]]);
  await world.close();
});

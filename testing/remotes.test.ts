import { expect, it } from 'vitest';
import { defineAgent, defineRemote } from '../shared/agent/index.ts';
import { createWorld, ScriptedRemote } from './index.ts';

const translator = defineRemote({
  name: 'translator',
  description: 'Translates.',
  card: 'https://translator.example/card',
  approval: false,
});
const agent = defineAgent({
  name: 'letters',
  description: 'Has letters translated.',
  remotes: [translator],
  async steps(ctx) {
    const { artifacts, message, note, status } = await ctx.call('translator', ctx.text);
    await ctx.artifact({ name: 'answer', parts: [{ data: [...artifacts] }] });
    return `${status} ${JSON.stringify(message)} ${note ?? ''}`;
  },
});

function letters(remote: ScriptedRemote) {
  return createWorld({ agents: [agent], remotes: { translator: remote } });
}

it('a remote agent answers at once, or after a while that the world passes', async () => {
  const quick = letters(
    new ScriptedRemote({ answer: ([part]) => [{ data: { got: part } as never }] }),
  );
  expect((await quick.send('Hello')).text).toContain('completed');
  const remote = new ScriptedRemote({ answer: 'Guten Tag', after: '10 min' });
  const slow = letters(remote);
  const { state, taskId } = await slow.send('Hello');
  expect(state).toBe('WORKING');
  await slow.advance('9 min');
  expect((await slow.get(taskId)).state).toBe('WORKING');
  expect((await slow.settled(taskId)).text).toContain('Guten Tag');
  expect([...remote.sends.values()]).toEqual([1]);
  await slow.close();
});

it.each([
  ['FAILED', 'failed'],
  ['REJECTED', 'rejected'],
  ['INPUT_REQUIRED', 'input-required'],
] as const)('a remote agent that ends %s is told as %s', async (ends, told) => {
  const world = letters(new ScriptedRemote({ ends, answer: 'Which language?' }));
  const { text } = await world.settled((await world.send('Hello')).taskId);
  expect(text).toMatch(new RegExp(`^${told} .*Which language`));
});

it('a remote agent that never ends is given up at its deadline', async () => {
  const remote = new ScriptedRemote({ ends: 'never' });
  const world = letters(remote);
  const { taskId } = await world.send('Hello');
  expect((await world.settled(taskId)).text).toMatch(/^timeout/);
  expect(world.now().toISOString()).toBe('2027-01-15T09:00:00.000Z');
  await world.advance('1 min');
  expect([...remote.tasks.values()].map(({ state }) => state)).toEqual(['CANCELED']);
});

it('a lost answer is found again, where the remote agent can say which tasks it has', async () => {
  const remote = new ScriptedRemote({ answer: 'Guten Tag' });
  remote.next('no answer');
  const world = letters(remote);
  const { taskId } = await world.send('Hello');
  expect((await world.settled(taskId)).text).toContain('Guten Tag');
  expect(remote.tasks.size).toBe(1);
});

it('a lost answer that can not be found waits for an operator, who links, resends or gives up', async () => {
  const asked = async () => {
    const remote = new ScriptedRemote({ answer: 'Guten Tag', lists: false });
    remote.next('no answer');
    const world = letters(remote);
    const { taskId } = await world.send('Hello');
    await world.advance('1 min');
    expect(await world.operator.inbox()).toMatchObject([
      { kind: 'send', taskId, remote: 'translator' },
    ]);
    return { remote, taskId, world };
  };
  const linked = await asked();
  const [task] = linked.remote.tasks.values();
  await linked.world.operator.link(linked.taskId, task?.taskId ?? '');
  expect((await linked.world.settled(linked.taskId)).text).toContain('Guten Tag');

  const abandoned = await asked();
  await abandoned.world.operator.abandon(abandoned.taskId);
  expect((await abandoned.world.settled(abandoned.taskId)).text).toMatch(/^abandoned/);

  const again = await asked();
  await again.world.operator.resend(again.taskId);
  expect((await again.world.settled(again.taskId)).text).toContain('Guten Tag');
  expect(again.remote.tasks.size).toBe(2);
  await again.world.close();
});

it.each(['busy', 'refused', 'reply', 'garbled', 'not reached'] as const)(
  'a message that meets %s comes to an end',
  async (fault) => {
    const remote = new ScriptedRemote();
    remote.next(fault);
    const world = letters(remote);
    const { state, taskId } = await world.send('Hello');
    expect(['WORKING', 'COMPLETED']).toContain(state);
    expect((await world.settled(taskId)).state).toBe('COMPLETED');
    await world.close();
  },
);

it('a remote agent that the test did not give is away', async () => {
  const world = createWorld({ agents: [agent] });
  const { taskId } = await world.send('Hello');
  expect((await world.settled(taskId)).state).toBe('COMPLETED');
  expect(() => createWorld({ agents: [agent], remotes: { other: new ScriptedRemote() } })).toThrow(
    'no agent declares other',
  );
});

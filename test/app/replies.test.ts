import { describe, expect, it } from 'vitest';
import { defineAgent } from '../../shared/agent/index.ts';
import { World } from './world.ts';

/** Answers "hello" without a task, asks once for everything else, and counts what it is asked. */
function greeter() {
  const asked: string[] = [];
  const agent = defineAgent({
    name: 'greeter',
    description: 'Greets.',
    reply(message) {
      const [part] = message.parts;
      const text = part !== undefined && 'text' in part ? part.text : '';
      asked.push(text);
      if (text === 'break') throw new TypeError('broken');
      return text === 'hello' ? 'hi' : undefined;
    },
    run(ctx) {
      if (ctx.text === 'ask') ctx.ask('What?');
      return `did ${ctx.text}`;
    },
  });
  return { asked, world: new World(agent) };
}

describe('an agent that answers some messages without a task', () => {
  it('answers in the context that was named, or in a new one, and nothing is stored', async () => {
    const { world } = greeter();
    const named = await world.trySend([{ text: 'hello' }], { contextId: 'mine' });
    expect(named).toMatchObject({
      kind: 'replied',
      contextId: 'mine',
      message: { role: 'agent', parts: [{ text: 'hi' }], at: world.clock.now() },
    });
    expect(await world.trySend([{ text: 'hello' }])).toMatchObject({ kind: 'replied' });
    const { tasks } = await listed(world);
    expect(tasks).toEqual([]);
    const wrong = world.trySend([{ text: 'hello' }], { contextId: 'no context' });
    expect(await world.code(wrong)).toBe('INVALID_PARAMS');
  });

  it('makes a task of the others, whose next message it is not asked about', async () => {
    const { asked, world } = greeter();
    const { taskId } = await world.send('ask', { taskId: '' });
    await world.work();
    await world.send('hello', { taskId });
    await world.work();
    expect((await world.get(taskId)).status.message?.parts).toEqual([{ text: 'did hello' }]);
    expect(asked).toEqual(['ask']);
  });

  it('is told what it threw, and its caller only that it did', async () => {
    const { world } = greeter();
    await expect(world.trySend([{ text: 'break' }])).rejects.toThrow('broken');
    expect(world.logged.filter(({ event }) => event === 'agent error')).toMatchObject([
      { fields: { agent: 'greeter', where: 'reply', fault: 'TypeError' } },
    ]);
  });
});

async function listed(world: World) {
  const page = await world.service.list(world.principal, { includeArtifacts: false });
  if (!('tasks' in page)) throw new Error('no page');
  return page;
}

import { describe, expect, it } from 'vitest';
import { answered, asked } from './asking.ts';
import { PROVIDERS } from './providers.ts';

const WEEK = 7 * 24 * 60 * 60 * 1_000;

describe.each(Object.entries(PROVIDERS))('%s', (_name, provider) => {
  it('asks the client in its own words, and reads the answer as the result of its call after a week', async () => {
    const { server, taskId, world } = await asked(
      provider,
      [
        {
          thought: 'I have to ask.',
          calls: [
            { name: 'look', input: { at: 'a' } },
            {
              name: 'ask_client',
              input: { question: 'Which size?', fields: [{ name: 'size', type: 'number' }] },
            },
          ],
        },
        { text: 'All is well.' },
      ],
      [{ text: 'go' }],
      { ask: true },
    );
    expect(await world.get(taskId)).toMatchObject({
      status: { state: 'INPUT_REQUIRED', message: { parts: [{ text: 'Which size?' }, {}, {}] } },
    });
    await world.clock.advance(WEEK);
    await world.trySend([{ data: { size: 42 } }], { taskId });
    await answered(world, taskId);
    expect(server.refused).toEqual([]);
    expect(await world.state(taskId)).toBe('COMPLETED');
    expect(JSON.stringify(server.requests.at(-1)?.body)).toMatch(/size\W+42/);
  });

  it('knows in a later task of the context what was said in the first, in roles that it takes', async () => {
    const { server, taskId, world } = await asked(
      provider,
      [
        { thought: 'I look.', calls: [{ name: 'look', input: { at: 'a' } }] },
        { text: 'Hello Ada.' },
        { thought: 'I look.', calls: [{ name: 'look', input: { at: 'b' } }] },
        { text: 'Ada.' },
      ],
      [{ text: 'My name is Ada' }],
    );
    const { contextId } = await world.get(taskId);
    const later = await world.send('What is my name?', { contextId });
    await answered(world, later.taskId);
    expect(server.refused).toEqual([]);
    expect(await world.state(later.taskId)).toBe('COMPLETED');
    const [, , third, last] = server.requests.map(({ body }) => JSON.stringify(body));
    for (const sent of [third, last]) {
      expect(sent).toMatch(/My name is Ada.*Hello Ada\..*What is my name\?/s);
      expect(sent).not.toContain('"at":"a"');
    }
  });
});

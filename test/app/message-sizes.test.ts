import { describe, expect, it } from 'vitest';
import { defineAgent, type Part } from '../../shared/agent/index.ts';
import { defaults } from '../../shared/domain/settings.ts';
import { finish } from './turn-loop-world.ts';
import { World } from './world.ts';

const agent = defineAgent({
  name: 'measures',
  description: 'Says how long a text is.',
  run: ({ text }) => String(text.length),
});

const { inlineContent, workingSnapshot } = defaults;
const SIZES = [
  1_000,
  workingSnapshot - 1_000,
  workingSnapshot + 1_000,
  inlineContent - 1_000,
  inlineContent + 1_000,
];

describe.each([
  ['claimed by a worker', {}],
  ['claimed as it is accepted', { lane: 1 }],
])('a first message, its run %s', (_how, options) => {
  it.each(SIZES)('of %i characters is worked on', async (size) => {
    const world = new World(agent, options);
    const { taskId } = await world.send('y'.repeat(size));
    await finish(world);
    expect(await answer(world, taskId)).toBe(String(size));
  });

  it('of many parts that are large together is worked on', async () => {
    const world = new World(agent, options);
    const parts = Array.from(
      { length: 4 },
      (): Part => ({ text: 'y'.repeat(workingSnapshot / 2) }),
    );
    const sent = await world.trySend(parts);
    if (sent.kind !== 'accepted') throw new Error('not accepted');
    await finish(world);
    expect(await answer(world, sent.taskId)).toBe(String(4 * (workingSnapshot / 2) + 3));
  });
});

async function answer(world: World, taskId: string): Promise<string> {
  const { status } = await world.get(taskId);
  const [part] = status.message?.parts ?? [];
  return part !== undefined && 'text' in part ? part.text : status.state;
}

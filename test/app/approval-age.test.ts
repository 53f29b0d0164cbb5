import { describe, expect, it } from 'vitest';
import { held } from './deciding.ts';
import { passes } from './webhook-world.ts';
import { World } from './world.ts';

const hour = 3_600_000;

const ages = async (approvalAge: number) => {
  const world = new World(held([]), { settings: { approvalAge } });
  const { taskId } = await world.send('go');
  await world.work();
  await passes(world, 3 * hour, hour);
  const lines = world.logged.filter(({ event }) => event === 'approval waits long');
  return lines.map(({ fields }) => ({ ...(fields as object), mine: taskId }));
};

describe('an approval that waits long', () => {
  it('is in the log of each sweep from then on, with its task and agent', async () => {
    const [first, ...others] = await ages(90 * 60_000);
    expect(others).toHaveLength(1);
    expect(first).toMatchObject({ agent: 'held', milliseconds: 2 * hour, task: first?.mine });
  });

  it('is not looked for without a limit', async () => {
    expect(await ages(0)).toEqual([]);
  });
});

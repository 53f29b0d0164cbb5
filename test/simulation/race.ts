import { seededIds } from '../../testing/seeded-ids.ts';
import { Client } from './client.ts';
import type { Randomness } from './random-schedules.ts';

/**
 * Two coordinators and two workers race for one resolution: every wake-up is delivered twice, to
 * either process, at nearly the same time. In some schedules a client cancels just then.
 */
export const race: Randomness = {
  name: 'race',
  share: 1,
  scenario: {
    cancels: true,
    async story(world) {
      const client = new Client(world, 'delegates-twice');
      const taskId = await client.start();
      if (world.chance.random() < 0.2) {
        await client.pause(100 + world.chance.random() * 300);
        await client.cancel(taskId);
      }
      await client.ended(taskId);
    },
  },
  world(seed, plan = new Map()) {
    const chance = seededIds(seed ^ 0x3c3c3c);
    const queue = { drop: 0, duplicate: 1, late: 1 + chance.random() * 5, durable: true };
    const slow = chance.random() < 0.5 ? 5 : 40;
    return {
      seed,
      plan,
      processes: 2,
      queue,
      slow,
      missed: 0,
      skew: 0,
      idempotency: 'always',
      lane: 0,
    };
  },
};

import { expect, it } from 'vitest';
import { createWorld, everyCrash } from 'holdfast/testing';
import agent from './agent.ts';

// Half an hour before nine o'clock in Berlin.
const FRIDAY = new Date('2027-01-15T07:30:00Z');

it('sums up on each working day, and on no other', async () => {
  const world = createWorld({ agents: [agent], clock: FRIDAY });
  const schedule = world.as('schedule:morning-digest');
  await world.advance('30 m');
  const [friday] = await schedule.list();
  expect(friday).toMatchObject({ state: 'COMPLETED', text: '2027-01-15: 3 came in.' });
  await world.advance('2 d');
  expect(await schedule.list()).toHaveLength(1);
  await world.advance('1 d');
  expect(await schedule.list()).toHaveLength(2);
  await world.close();
});

it('sums up when a caller asks, too', async () => {
  const world = createWorld({ agents: [agent] });
  const { text } = await world.send('What came in?');
  expect(text).toMatch(/^.+: 3 came in\.$/v);
  await world.close();
});

it('has one task for each day, wherever the process is lost', async () => {
  const report = await everyCrash(
    () => ({ agents: [agent], clock: FRIDAY }),
    async (world) => {
      await world.advance('5 d');
      const tasks = await world.as('schedule:morning-digest').list();
      expect(tasks.map(({ text }) => text)).toEqual([
        '2027-01-19: 3 came in.',
        '2027-01-18: 3 came in.',
        '2027-01-15: 3 came in.',
      ]);
    },
  );
  expect(report.crashes).toBeGreaterThan(10);
});

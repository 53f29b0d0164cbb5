import { expect, it } from 'vitest';
import { createWorld } from 'holdfast/testing';
import agent from './agent.ts';

// A Friday, 08:00 UTC: nine o'clock in Berlin.
const FRIDAY = new Date('2027-01-15T07:59:00Z');

it('sums up on each working day, and on no other', async () => {
  const world = createWorld({ agents: [agent], clock: FRIDAY });
  const schedule = world.as('schedule:morning-digest');
  await world.advance('1 m');
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

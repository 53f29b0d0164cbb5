import { expect, it } from 'vitest';
import { defineAgent, type ScheduleDeclaration } from '../shared/agent/index.ts';
import { createWorld, everyCrash, Refusal, type World } from './index.ts';

/** Half past eight, half an hour before the first tick. */
const clock = new Date('2027-01-15T08:30:00Z');

const hourly = (schedule: Partial<ScheduleDeclaration> = {}) =>
  defineAgent({
    name: 'digest',
    description: 'Sums up.',
    schedule: { cron: '0 * * * *', ...schedule },
    run: (ctx) => ctx.schedule?.at.toISOString().slice(11, 16) ?? 'asked for',
  });

/** What its tasks say, in their order. */
const said = async (world: World): Promise<readonly string[]> =>
  (await world.as('schedule:digest').list()).map(({ text }) => text ?? '').toReversed();

it('each tick that time passes makes one task, at its time', async () => {
  const world = createWorld({ agents: [hourly()], clock });
  await world.advance('29 m');
  expect(await said(world)).toEqual([]);
  await world.advance('1 m');
  expect(await said(world)).toEqual(['09:00']);
  await world.advance('2 h');
  expect(await said(world)).toEqual(['09:00', '10:00', '11:00']);
  await world.close();
});

it('an operator pauses it, has a task made meanwhile, and resumes it: no tick is made up for', async () => {
  const world = createWorld({ agents: [hourly()], clock });
  await world.advance('30 m');
  await world.operator.pauseSchedule('digest');
  expect(await world.operator.schedules()).toMatchObject([{ agent: 'digest', paused: true }]);
  await world.advance('2 h');
  const taskId = await world.operator.runSchedule('digest');
  expect(await world.as('schedule:digest').get(taskId)).toMatchObject({ text: '11:00' });
  await world.operator.resumeSchedule('digest');
  expect(await world.operator.schedules()).toMatchObject([
    { paused: false, next: new Date('2027-01-15T12:00:00Z'), missed: 0 },
  ]);
  await world.advance('1 h');
  expect(await said(world)).toEqual(['09:00', '11:00', '12:00']);
  await world.close();
});

it.each([
  ['skip', [], 3],
  ['one', ['11:00'], 2],
  ['all', ['09:00', '10:00', '11:00'], 0],
] as const)('ticks of an outage are made up for by the rule %s', async (missed, late, lost) => {
  const world = createWorld({ agents: [hourly({ missed })], clock });
  await world.advance('1 m');
  await world.outage('179 m');
  expect(await said(world)).toEqual(late);
  expect(await world.operator.schedules()).toMatchObject([{ missed: lost }]);
  await world.advance('30 m');
  expect(await said(world)).toEqual([...late, '12:00']);
  await world.close();
});

it('a run of another caller goes on after an outage as after a crash', async () => {
  const sleeper = defineAgent({
    name: 'sleeper',
    description: 'Sleeps.',
    async steps(ctx) {
      await ctx.sleep('1 h');
      return 'Slept.';
    },
  });
  const world = createWorld({ agents: [sleeper], clock });
  const { taskId } = await world.send('go');
  await world.outage('3 h');
  expect(await world.get(taskId)).toMatchObject({ state: 'COMPLETED', text: 'Slept.' });
  await world.close();
});

it('each tick is one task wherever the process is lost, over a pause, too', async () => {
  const report = await everyCrash(
    () => ({ agents: [hourly()], clock }),
    async (world) => {
      // A process that is lost at a tick is followed by one that sweeps a moment later.
      await world.advance('91 m');
      await world.operator.pauseSchedule('digest');
      await world.advance('1 h');
      await world.operator.resumeSchedule('digest');
      await world.advance('1 h');
      expect(await said(world)).toEqual(['09:00', '10:00', '12:00']);
    },
  );
  expect(report.crashes).toBeGreaterThan(10);
});

it('an agent without a schedule has none to pause', async () => {
  const plain = defineAgent({ name: 'plain', description: 'Plain.', run: () => 'Done.' });
  const world = createWorld({ agents: [plain], clock });
  expect(await world.operator.schedules()).toEqual([]);
  await expect(world.operator.pauseSchedule('plain')).rejects.toThrow(Refusal);
  await expect(world.operator.runSchedule('nothing')).rejects.toThrow('AGENT_NOT_FOUND');
});

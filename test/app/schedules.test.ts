import { describe, expect, it } from 'vitest';
import { defineAgent, type ScheduleDeclaration } from '../../shared/agent/index.ts';
import { rightsOf } from '../../shared/app/operators/operator-rights.ts';
import { pauseSchedule, resumeSchedule } from '../../shared/app/operators/schedules.ts';
import { sweep } from '../../shared/app/worker/sweep.ts';
import { tickTask } from '../../shared/domain/schedule.ts';
import { at, HOUR, hourly, MINUTE, passes, rowOf, scheduled, tasksOf } from './schedule-world.ts';
import { ScriptedModel } from '../../testing/scripted-model.ts';
import { everythingGranted } from './turn-loop-world.ts';
import { World } from './world.ts';

describe('a tick', () => {
  it('makes one task, whose agent knows which tick it is', async () => {
    const world = await scheduled(hourly({ owner: '' }));
    await passes(world, HOUR - 1);
    expect(tasksOf(world)).toEqual([]);
    await passes(world, 1);
    const [run, ...others] = tasksOf(world);
    expect(others).toEqual([]);
    expect(run).toMatchObject({ taskId: tickTask('digest', at(9)), status: 'completed' });
    const { history, status } = await world.get(run?.taskId ?? '');
    expect(status.message?.parts).toEqual([{ text: 'for 2027-01-15T09:00:00.000Z' }]);
    expect(history[0]?.parts).toEqual([
      { text: 'Scheduled for 2027-01-15T09:00:00.000Z (0 * * * *, UTC).' },
    ]);
    expect(await rowOf(world)).toMatchObject({ lastTick: at(9), lastTask: run?.taskId });
  });

  it('belongs to its owner, and by default to no caller', async () => {
    const world = await scheduled();
    await passes(world, HOUR);
    expect(tasksOf(world)).toMatchObject([{ owner: 'schedule:digest', tenant: '' }]);
    const id = tickTask('digest', at(9));
    expect(await world.code(world.service.get(world.principal, id))).toBe('TASK_NOT_FOUND');
  });

  it('is known to a function of steps, and to instructions of a model', async () => {
    const name = 'digest';
    const steps = defineAgent({
      name,
      description: 'Sums up.',
      schedule: { cron: '0 * * * *', owner: '' },
      steps: (ctx) => Promise.resolve(`for ${ctx.schedule?.at.toISOString()}`),
    });
    const world = await scheduled(steps);
    await passes(world, HOUR);
    const { status } = await world.get(tickTask(name, at(9)));
    expect(status.message?.parts).toEqual([{ text: 'for 2027-01-15T09:00:00.000Z' }]);

    const model = new ScriptedModel({ text: 'done' });
    const told = defineAgent({
      name,
      description: 'Sums up.',
      schedule: { cron: '0 * * * *', timezone: 'Europe/Berlin' },
      model,
      instructions: ({ schedule }) => `It is ${schedule?.at.toISOString()}, ${schedule?.timezone}.`,
    });
    await passes(await scheduled(told), HOUR);
    expect(model.requests[0]?.instructions).toBe('It is 2027-01-15T09:00:00.000Z, Europe/Berlin.');
  });

  it('of a caller who writes the same metadata is none', async () => {
    const world = await scheduled();
    const tick = { agent: 'digest', at: '2027-01-15T09:00:00.000Z', timezone: 'UTC' };
    const sent = await world.service.send(world.principal, {
      message: {
        messageId: 'forged',
        role: 'user',
        parts: [{ text: 'hello' }],
        metadata: { 'holdfast/schedule': tick },
      },
    });
    await world.work();
    if (sent.kind !== 'accepted') throw new Error('not accepted');
    const { status } = await world.get(sent.taskId);
    expect(status.message?.parts).toEqual([{ text: 'for a caller' }]);
  });

  it('that two sweepers see at once is one task', async () => {
    const world = await scheduled();
    const other = new World(hourly(), { below: world });
    await world.clock.advance(HOUR);
    await other.clock.advance(HOUR);
    await Promise.all([sweep(world.app), sweep(other.app), sweep(world.app)]);
    await world.work();
    expect(tasksOf(world)).toHaveLength(1);
    expect(await rowOf(world)).toMatchObject({ nextAt: at(10), missed: 0 });
  });

  it('is one task also when its row is lost, and made anew by a clock that went back', async () => {
    const world = await scheduled();
    await passes(world, HOUR);
    const lost = { path: 'schedules/digest', fields: undefined, expect: 'any' } as const;
    await world.backend.commit([], [lost]);
    // As slow as it gets: this process believes that it is a minute before nine.
    const behind = new World(hourly(), { below: world });
    await behind.clock.advance(HOUR - MINUTE);
    await sweep(behind.app);
    await passes(behind, 2 * MINUTE);
    expect(tasksOf(world)).toHaveLength(1);
    expect(await rowOf(behind)).toMatchObject({ nextAt: at(10), lastTick: at(9) });
  });

  it('comes again by no clock that jumps, back and forth', async () => {
    const world = await scheduled();
    await passes(world, 3 * HOUR);
    const made = tasksOf(world).length;
    for (const hours of [1, 3, 2, 0]) {
      const jumped = new World(hourly(), { below: world });
      await passes(jumped, hours * HOUR + MINUTE);
    }
    expect(tasksOf(world)).toHaveLength(made);
  });

  it('of an agent whose answers may not be kept is refused, and says so', async () => {
    const world = await scheduled(hourly(), {
      installation: { answer: 'none', audit: 'none' },
    });
    await passes(world, HOUR);
    expect(tasksOf(world)).toEqual([]);
    expect(await rowOf(world)).toMatchObject({
      refusal: 'RESULT_NOT_STORABLE',
      nextAt: at(10),
      lastTask: null,
    });
    expect(world.logged.map(({ event }) => event)).toContain('tick refused');
  });

  it('of one schedule that fails holds up neither the others nor the sweep', async () => {
    const world = await scheduled();
    await world.clock.advance(HOUR);
    const broken = new World(
      defineAgent({
        name: 'digest',
        description: 'Sums up.',
        schedule: '0 * * * *',
        run: () => 'done',
      }),
      { below: world },
    );
    await broken.clock.advance(HOUR);
    const { keys } = broken.app;
    const lost = { ...keys, create: () => Promise.reject(new Error('away')) };
    await sweep({ ...broken.app, keys: lost });
    expect(tasksOf(world)).toEqual([]);
    expect(broken.logged).toContainEqual({
      event: 'schedule not swept',
      fields: { agent: 'digest', fault: 'Error' },
    });
    await sweep(world.app);
    expect(tasksOf(world)).toHaveLength(1);
  });

  it('waits while the clock can not be believed', async () => {
    const world = await scheduled();
    await world.clock.advance(HOUR);
    await sweep({ ...world.app, steadyTime: () => Promise.resolve(false) });
    expect(tasksOf(world)).toEqual([]);
    await sweep(world.app);
    expect(tasksOf(world)).toHaveLength(1);
  });
});

describe('ticks that were missed', () => {
  it.each([
    ['skip', 0, 3],
    ['one', 1, 2],
    ['all', 3, 0],
  ] as const)('%s: of three hours without a sweeper %i make a task', async (missed, made, lost) => {
    const world = await scheduled(hourly({ missed }));
    await passes(world, 3 * HOUR + 10 * MINUTE);
    const newest = [at(9), at(10), at(11)].slice(3 - made);
    expect(new Set(tasksOf(world).map(({ taskId }) => taskId))).toEqual(
      new Set(newest.map((tick) => tickTask('digest', tick))),
    );
    expect(await rowOf(world)).toMatchObject({
      lastTick: made === 0 ? null : at(11),
      missed: lost,
      nextAt: at(12),
    });
  });

  it('all: makes the newest hundred of a week, in one sweep', async () => {
    const world = await scheduled(hourly({ missed: 'all' }));
    await world.clock.advance(7 * 24 * HOUR);
    await sweep(world.app);
    expect(tasksOf(world)).toHaveLength(100);
    expect(await rowOf(world)).toMatchObject({ missed: 68 });
  });
});

describe('a tick while the task before is not finished', () => {
  const message = 'ask';

  it('makes a task of its own', async () => {
    const world = await scheduled(hourly({ message }));
    await passes(world, HOUR);
    await passes(world, HOUR);
    expect(tasksOf(world)).toHaveLength(2);
  });

  it('is skipped where the schedule says so, until that task has ended', async () => {
    const world = await scheduled(hourly({ message, overlap: 'skip', owner: '' }));
    await passes(world, HOUR);
    await passes(world, HOUR);
    expect(tasksOf(world)).toMatchObject([{ status: 'waiting_for_input' }]);
    expect(await rowOf(world)).toMatchObject({ skipped: 1, lastTick: at(10) });
    await world.send('nothing', { taskId: tickTask('digest', at(9)) });
    await world.work();
    await passes(world, HOUR);
    expect(tasksOf(world)).toHaveLength(2);
    expect(await rowOf(world)).toMatchObject({ skipped: 1, lastTask: tickTask('digest', at(11)) });
  });
});

describe('processes with different agents over the same rows', () => {
  /** One knows the agent with the schedule, the other one another. */
  async function both(schedule: Partial<ScheduleDeclaration> = {}) {
    const world = await scheduled(hourly(schedule));
    const another = hourly({ cron: '30 * * * *' }, 'another');
    return { world, next: new World(another, { below: world }) };
  }

  it("leave each other's schedules alone: each tick is one task", async () => {
    const { next, world } = await both();
    for (let sweeps = 0; sweeps < 12; sweeps += 1) {
      await passes(next, 10 * MINUTE);
      await passes(world, 10 * MINUTE);
    }
    const made = tasksOf(world).map(({ taskId }) => taskId);
    const due = [
      tickTask('another', at(8) + 30 * MINUTE),
      tickTask('digest', at(9)),
      tickTask('another', at(9) + 30 * MINUTE),
      tickTask('digest', at(10)),
    ];
    expect(made).toEqual(due);
    const events = [...world.logged, ...next.logged].map(({ event }) => event);
    expect(events).not.toContain('schedule retired');
  });

  it.each([
    ['one', 1, 2],
    ['all', 3, 0],
  ] as const)(
    'as long as none knows it, nothing ticks; back, it makes up for it: %s',
    async (missed, made, lost) => {
      const { next, world } = await both({ missed });
      await passes(next, 3 * HOUR);
      const ofDigest = () => tasksOf(world).filter(({ agent }) => agent === 'digest');
      expect(ofDigest()).toEqual([]);
      await passes(world, 3 * HOUR);
      expect(ofDigest()).toHaveLength(made);
      expect(await rowOf(world)).toMatchObject({ missed: lost, lastTick: at(11) });
    },
  );
});

describe('a release', () => {
  it('that declares another rule goes on with that, and makes no tick twice', async () => {
    const world = await scheduled();
    await passes(world, HOUR);
    const next = new World(hourly({ cron: '0,30 * * * *' }), { below: world });
    await passes(next, HOUR);
    expect(await rowOf(next)).toMatchObject({ cron: '0,30 * * * *', nextAt: at(9) + 30 * MINUTE });
    await passes(next, 30 * MINUTE);
    expect(tasksOf(world)).toHaveLength(2);
  });

  it('without the schedule retires it: nothing ticks', async () => {
    const world = await scheduled();
    const plain = defineAgent({ name: 'digest', description: 'Sums up.', run: () => 'done' });
    const next = new World(plain, { below: world });
    await passes(next, 3 * HOUR);
    expect(tasksOf(world)).toEqual([]);
    expect(await rowOf(next)).toMatchObject({ rule: '', nextAt: null });
    expect(next.logged.map(({ event }) => event)).toContain('schedule retired');
  });

  it('of which instances are left does not fight with the next one', async () => {
    const shared = { format: { allows: () => Promise.resolve(true) } };
    const world = new World(hourly());
    const old = { ...world.app, ...shared };
    const next = new World(hourly({ cron: '30 * * * *' }), { below: world });
    await sweep(old);
    await world.clock.advance(20 * MINUTE);
    await next.clock.advance(20 * MINUTE);
    for (let sweeps = 0; sweeps < 5; sweeps += 1) {
      await sweep({ ...next.app, ...shared });
      await sweep(old);
    }
    expect(await rowOf(world)).toMatchObject({ cron: '30 * * * *', nextAt: at(8) + 30 * MINUTE });
    // One that does not know the rule makes no tick of it.
    await world.clock.advance(10 * MINUTE - 1);
    await sweep(old);
    expect(tasksOf(world)).toEqual([]);
  });

  it('before the one that declares the rule resumes it by that rule, and not by its own', async () => {
    const shared = { format: { allows: () => Promise.resolve(true) } };
    const granted = { grants: everythingGranted };
    const world = new World(hourly(), granted);
    const next = new World(hourly({ cron: '30 * * * *' }), { below: world, ...granted });
    const old = { ...world.app, ...shared };
    await sweep(old);
    await sweep({ ...next.app, ...shared });
    const operator = { subject: 'ada', rights: rightsOf(old, 'ada') };
    const agent = world.principal.agent;
    expect(await pauseSchedule(old, operator, agent)).toMatchObject({ row: { nextAt: null } });
    expect(await resumeSchedule(old, operator, agent)).toMatchObject({ row: { nextAt: null } });
    await sweep(old);
    await sweep({ ...next.app, ...shared });
    expect(await rowOf(world)).toMatchObject({ cron: '30 * * * *', nextAt: at(8) + 30 * MINUTE });
  });

  it('of a newer kind, whose rows are not known here, is left alone', async () => {
    const world = await scheduled();
    const [present] = world.backend.all('schedules');
    const newer = { path: 'schedules/digest', fields: { ...present?.fields, v: 2 } };
    await world.backend.commit([], [{ ...newer, expect: 'any' }]);
    await passes(world, HOUR);
    expect(tasksOf(world)).toEqual([]);
    expect(world.backend.all('schedules')).toMatchObject([{ fields: { v: 2 } }]);
    expect(world.logged).toContainEqual({
      event: 'schedule not swept',
      fields: { agent: 'digest', fault: 'Unreadable' },
    });
  });
});

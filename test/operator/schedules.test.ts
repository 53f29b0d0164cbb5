import { describe, expect, it } from 'vitest';
import { defineAgent } from '../../shared/agent/index.ts';
import { sweep } from '../../shared/app/worker/sweep.ts';
import { RIGHTS } from '../../shared/ports/grants.ts';
import { holdfast } from '../cli/terminal.ts';
import { World } from '../app/world.ts';
import { Team } from './api.ts';
import { apiOver } from './worlds.ts';

const MINUTE = 60_000;
/** The virtual clock starts at 08:00. */
const EIGHT = '2027-01-15T08:00:00.000Z';

/** An agent that begins a task at each full hour. */
async function hourly(cron = '0 * * * *') {
  const team = new Team();
  const agent = defineAgent({
    name: 'digest',
    description: 'Sums up.',
    run: () => 'done',
    ...(cron !== '' && { schedule: { cron, message: 'sum up' } }),
  });
  const world = new World(agent, { grants: team });
  const api = await apiOver(world);
  await sweep(world.app);
  return { api, team, world };
}

type Hourly = Awaited<ReturnType<typeof hourly>>;

/** Time passes, and the sweeper comes. */
async function passes({ world }: Hourly, span: number): Promise<void> {
  await world.clock.advance(span);
  await sweep(world.app);
  await world.work();
}

const text = (value: unknown): string => JSON.stringify(value);

describe('a schedule, for operators', () => {
  it('is listed with its next tick, the last one, its task and how that stands', async () => {
    const made = await hourly();
    expect(new Date(made.world.clock.now()).toISOString()).toBe(EIGHT);
    const before = { agent: 'digest', status: 'active', nextAt: '2027-01-15T09:00:00.000Z' };
    const { schedules } = (await made.api.get('/schedules')).body as unknown as {
      schedules: unknown[];
    };
    expect(schedules).toMatchObject([{ ...before, missed: 'one', missedTicks: 0 }]);
    expect(text(schedules)).not.toContain('lastTick');
    await passes(made, 60 * MINUTE);
    expect((await made.api.get('/schedules')).body).toMatchObject({
      schedules: [
        {
          lastTick: '2027-01-15T09:00:00.000Z',
          lastStatus: 'completed',
          nextAt: '2027-01-15T10:00:00.000Z',
        },
      ],
    });
    const { out } = await holdfast(made, ['schedule']);
    expect(out).toMatch(/digest +0 \* \* \* \* +UTC +active +2027-01-15T10:00:00/v);
  });

  it('makes no task while it is paused, and goes on with the next tick', async () => {
    const made = await hourly();
    const paused = await made.api.post('/schedules/digest/pause', {}, 'pause');
    expect(paused).toMatchObject({ status: 200, body: { status: 'paused', pausedSince: EIGHT } });
    await passes(made, 150 * MINUTE);
    const resumed = await made.api.post('/schedules/digest/resume', {}, 'pause');
    expect(resumed.body).toMatchObject({ status: 'active', nextAt: '2027-01-15T11:00:00.000Z' });
    await passes(made, 10 * MINUTE);
    expect((await made.api.get('/runs')).body.runs).toEqual([]);
    await passes(made, 20 * MINUTE);
    expect((await made.api.get('/runs')).body.runs).toHaveLength(1);
  });

  it('paused or resumed twice is so once, and the audit record has one entry for each', async () => {
    const made = await hourly();
    const first = await made.api.post('/schedules/digest/pause');
    expect((await made.api.post('/schedules/digest/pause')).body).toEqual(first.body);
    await made.world.clock.advance(MINUTE);
    await holdfast(made, ['schedule', 'resume', 'digest']);
    const again = await holdfast(made, ['schedule', 'resume', 'digest']);
    expect(again.out).toMatch(/state +active/v);
    expect((await made.api.get('/audit')).body).toMatchObject({
      entries: [{ act: 'pause-schedule', agent: 'digest' }, { act: 'resume-schedule' }],
    });
  });

  it('runs now when it is asked to, once for each request, paused or not', async () => {
    const made = await hourly();
    await made.api.post('/schedules/digest/pause');
    const asked = { requestId: 'one' };
    const first = await made.api.post('/schedules/digest/run', asked, 'try');
    expect(first).toMatchObject({ status: 200, body: { agent: 'digest', status: 'queued' } });
    const again = await made.api.post('/schedules/digest/run', asked, 'try');
    expect(again.body.id).toBe(first.body.id);
    await made.world.work();
    const { out } = await holdfast(made, ['schedule', 'run', 'digest', '--request-id', 'two']);
    expect(out).toContain('queued');
    const { runs } = (await made.api.get('/runs')).body;
    expect(new Set(runs.map(({ status }) => status))).toEqual(new Set(['completed', 'queued']));
    const { entries } = (await made.api.get('/audit?act=run-schedule')).body as unknown as {
      entries: unknown[];
    };
    expect(entries).toHaveLength(2);
  });

  it.each(['pause', 'resume', 'run'])('%s takes its right: no other one is enough', async (act) => {
    const { api } = await hourly();
    const needed = act === 'run' ? 'try' : 'pause';
    const body = act === 'run' ? { requestId: 'one' } : {};
    for (const right of RIGHTS.filter((each) => each !== needed))
      expect(await api.post(`/schedules/digest/${act}`, body, right)).toMatchObject({
        status: 403,
        body: { error: { code: 'PERMISSION_DENIED' } },
      });
    expect((await api.get('/schedules')).body).toMatchObject({ schedules: [{ status: 'active' }] });
  });

  it('of an agent that has none is not found, and one that may not be seen is as unknown as none', async () => {
    const { api, team } = await hourly('');
    team.members.set('elsewhere', { may: RIGHTS, agent: 'another' });
    expect(await api.post('/schedules/digest/pause')).toMatchObject({
      status: 404,
      body: { error: { code: 'SCHEDULE_NOT_FOUND' } },
    });
    expect((await api.get('/schedules')).body).toEqual({ schedules: [] });
    expect(await api.post('/schedules/digest/pause', {}, 'elsewhere')).toMatchObject({
      status: 404,
      body: { error: { code: 'AGENT_NOT_FOUND' } },
    });
    expect((await api.get('/schedules', 'nobody')).status).toBe(403);
  });

  it('is told from the command line what is missing', async () => {
    const made = await hourly();
    expect((await holdfast(made, ['schedule', 'stop'])).exit).toBe(2);
    expect((await holdfast(made, ['schedule', 'pause'])).exit).toBe(2);
    expect((await holdfast(made, ['schedule', 'pause', 'other'])).exit).not.toBe(0);
  });
});

import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { defineAgent } from '../../shared/agent/index.ts';
import {
  isWanted,
  QUEUED_WAITS,
  shownStatus,
  statusesOf,
} from '../../shared/app/operators/run-filter.ts';
import { holdfast } from '../cli/terminal.ts';
import { queued } from '../doubles/runs.ts';
import { World } from '../app/world.ts';
import { type Api, Team } from './api.ts';
import { apiOver } from './worlds.ts';

/** A function that waits as it is told to. */
const waiter = defineAgent({
  name: 'waiter',
  description: 'Waits.',
  events: { paid: { schema: z.string() } },
  async steps(ctx) {
    if (ctx.text === 'sleep') await ctx.sleep('1 h');
    if (ctx.text === 'event') await ctx.event('paid', { timeout: '2 h' });
    return 'done';
  },
});

async function waiting() {
  const world = new World(waiter, { grants: new Team() });
  const { taskId: event } = await world.send('event');
  const { taskId: asleep } = await world.send('sleep');
  await world.work();
  const { taskId: fresh } = await world.send('nothing');
  return { world, api: await apiOver(world), event, asleep, fresh };
}

const idsOf = async (api: Api, status: string): Promise<ReadonlySet<string>> =>
  new Set((await api.get(`/runs?status=${status}`)).body.runs.map(({ id }) => id));

describe('a run that is queued because it waits', () => {
  it('is shown as what it waits for: in its row, in the list and on the command line', async () => {
    const made = await waiting();
    const { api, asleep, event, fresh } = made;
    expect((await api.get(`/runs/${event}`)).body).toMatchObject({
      status: 'waiting_for_event',
      waitsFor: { kind: 'event', events: ['paid'] },
    });
    expect((await api.get(`/runs/${asleep}`)).body).toMatchObject({ status: 'sleeping' });
    expect((await api.get(`/runs/${fresh}`)).body).toMatchObject({ status: 'queued' });
    expect((await api.get(`/find/${event.slice(0, 8)}`)).body).toMatchObject({
      runs: [{ status: 'waiting_for_event' }],
    });
    const { out } = await holdfast(made, ['runs']);
    expect(out).toMatch(new RegExp(`${event} +waiter +waiting_for_event +.*event paid for`, 'v'));
    expect(out).toMatch(new RegExp(`${asleep} +waiter +sleeping +.*sleep for`, 'v'));
    const run = await holdfast(made, ['run', event]);
    expect(run.out).toMatch(/status +waiting_for_event \(task: WORKING\)/v);
  });

  it('is found by that word, and by queued, which counts it', async () => {
    const { api, asleep, event, fresh } = await waiting();
    expect(await idsOf(api, 'waiting_for_event')).toEqual(new Set([event]));
    expect(await idsOf(api, 'sleeping')).toEqual(new Set([asleep]));
    expect(await idsOf(api, 'queued')).toEqual(new Set([event, asleep, fresh]));
    expect((await api.get('/status')).body).toMatchObject({ queued: 3 });
    expect(await idsOf(api, 'open')).toEqual(new Set([event, asleep, fresh]));
    expect(await idsOf(api, 'running')).toEqual(new Set());
  });

  it('is no longer shown so when it goes on', async () => {
    const { api, asleep, world } = await waiting();
    await world.clock.advance(60 * 60_000);
    await world.work();
    expect((await api.get(`/runs/${asleep}`)).body).toMatchObject({ status: 'completed' });
  });
});

it.each([
  ['waiting_for_event', { awaits: ['paid'] }],
  ['waiting_for_circuit', { circuit: 'pricing' }],
  ['sleeping', { asleep: true as const }],
] as const)('%s is a word of rows that are queued, and of no others', (status, waits) => {
  const row = queued(waits);
  expect(shownStatus(row)).toBe(status);
  expect(statusesOf({ status })).toEqual(['queued']);
  expect(isWanted(row, { status })).toBe(true);
  expect(isWanted(row, { status: 'queued' })).toBe(true);
  expect(isWanted(queued(), { status })).toBe(false);
  for (const other of QUEUED_WAITS)
    expect(isWanted(row, { status: other }), other).toBe(other === status);
});

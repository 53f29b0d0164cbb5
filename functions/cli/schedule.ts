import type { z } from 'zod';
import { runRow } from '../../shared/operator/run-schemas.ts';
import { scheduleList, scheduleRow } from '../../shared/operator/schedule-schemas.ts';
import { systemIds } from '../../shared/system/system-ids.ts';
import { usage } from './cli-error.ts';
import type { Command, Found, Surroundings } from './command.ts';
import { type Cell, type Column, columns, facts, table } from './screen/view.ts';
import { spanOf } from './table.ts';
import { rowView } from './views.ts';

type Row = z.input<typeof scheduleRow>;

const COLUMNS: readonly Column[] = columns(
  'agent',
  'rule',
  'zone',
  'state',
  'next',
  'last tick',
  'last run',
  'missed',
);
const ACTS = ['pause', 'resume', 'run'];

/** When agents begin tasks of their own accord, and pausing that. */
export const SCHEDULE: Command = {
  name: 'schedule',
  takes: '[<pause, resume or run> <agent>]',
  summary: 'when agents begin tasks of their own accord; pauses that, or makes such a task now',
  columns: COLUMNS,
  watchable: true,
  examples: ['schedule', 'schedule pause digest', 'schedule resume digest', 'schedule run digest'],
  options: [
    {
      name: 'request-id',
      value: 'id',
      help: 'run: of the request; the same one makes one run (default: a new one)',
    },
  ],
  run(around) {
    const [what = 'list', agent = ''] = around.args;
    if (what === 'list') return list(around);
    if (!ACTS.includes(what))
      throw usage(`schedule ${what} is nothing; there are list, ${ACTS.join(', ')}`);
    if (agent === '') throw usage('the name of the agent is missing; `holdfast schedule`');
    const path = `/schedules/${encodeURIComponent(agent)}/${what}`;
    return what === 'run' ? run(around, path) : act(around, path);
  },
};

async function list({ client, now }: Surroundings): Promise<Found> {
  const { raw, value } = await client.get('/schedules', scheduleList);
  const rows = value.schedules.map((row): readonly Cell[] => [
    row.agent,
    row.cron,
    row.timezone,
    stateOf(row, now),
    timeOf(row.nextAt),
    timeOf(row.lastTick),
    row.lastTask === undefined ? '' : { id: row.lastTask },
    String(row.missedTicks + row.skippedTicks),
  ]);
  const none = 'no agent has a schedule; docs/schedules.md says how to declare one';
  return { data: raw, text: [table({ columns: COLUMNS, rows, none })] };
}

async function act({ client, now }: Surroundings, path: string): Promise<Found> {
  const { raw, value } = await client.post(path, {}, scheduleRow);
  const text = facts([
    ['agent', value.agent],
    ['rule', `${value.cron} (${value.timezone})`],
    ['state', stateOf(value, now)],
    ['next', value.nextAt === undefined ? 'none' : { at: value.nextAt, iso: true }],
  ]);
  return { data: raw, text: [text] };
}

async function run({ client, now, options }: Surroundings, path: string): Promise<Found> {
  const given = options['request-id'];
  const requestId = typeof given === 'string' ? given : systemIds().uuid();
  const { raw, value } = await client.post(path, { requestId }, runRow);
  return { data: raw, text: rowView(value, now) };
}

const timeOf = (at: number | undefined): Cell => (at === undefined ? '' : { at, iso: true });

function stateOf({ pausedSince, refusal, status }: Row, now: number): Cell {
  if (pausedSince !== undefined)
    return { text: `paused for ${spanOf(now - pausedSince)}`, look: 'waits' };
  if (status !== 'active') return status;
  if (refusal !== undefined) return { text: `refused: ${refusal}`, look: 'bad' };
  return { text: 'active', look: 'good' };
}

import type { z } from 'zod';
import { type circuit, remotePage, remoteRow } from '../../shared/operator/remote-schemas.ts';
import { usage } from './cli-error.ts';
import type { Command } from './command.ts';
import { type Cell, type Column, columns, facts, table } from './screen/view.ts';
import { spanOf } from './table.ts';

type Row = z.input<typeof remoteRow>;

const COLUMNS: readonly Column[] = columns('remote', 'of', 'state');

/** Why a remote is left alone, and for how long. */
export function circuitCell(
  { faults, openUntil, openedAt, reason }: z.input<typeof circuit>,
  now: number,
): Cell {
  const left = openUntil > now ? `in ${spanOf(openUntil - now)}` : 'now';
  const text = `open for ${spanOf(now - openedAt)}: ${faults} calls failed, the last by ${reason}; tried again ${left}`;
  return { text, look: 'bad' };
}

function stateOf({ circuits }: Row, now: number): Cell {
  const [first] = circuits;
  return first === undefined ? { text: 'closed', look: 'good' } : circuitCell(first, now);
}

/** Remote agents, and forgetting that one failed. */
export const REMOTES: readonly Command[] = [
  {
    name: 'remotes',
    summary: 'remote agents, and which of them are left alone because calls failed',
    examples: ['remotes'],
    watchable: true,
    columns: COLUMNS,
    async run({ client, now }) {
      const { raw, value } = await client.get('/remotes', remotePage);
      const rows = value.remotes.map((row) => [
        row.remote,
        row.agents.join(', '),
        stateOf(row, now),
      ]);
      return { data: raw, text: [table({ columns: COLUMNS, rows, none: 'no remotes' })] };
    },
  },
  {
    name: 'reset',
    takes: '<remote>',
    summary: 'calls a remote agent again at once that is left alone',
    examples: ['reset profiler'],
    async run({ args, client, now }) {
      const [remote = ''] = args;
      if (remote === '') throw usage('the name of the remote is missing; `holdfast remotes`');
      const path = `/remotes/${encodeURIComponent(remote)}/reset`;
      const { raw, value } = await client.post(path, {}, remoteRow);
      const text = facts([
        ['remote', value.remote],
        ['of', value.agents.join(', ')],
        ['circuit', stateOf(value, now)],
      ]);
      return { data: raw, text: [text] };
    },
  },
];

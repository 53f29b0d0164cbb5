import type { z } from 'zod';
import { agentPage, agentRow } from '../../shared/operator/agent-schemas.ts';
import { usage } from './cli-error.ts';
import type { Command } from './command.ts';
import { type Cell, type Column, columns, facts, table } from './screen/view.ts';
import { spanOf } from './table.ts';

type Row = z.input<typeof agentRow>;

const COLUMNS: readonly Column[] = columns('agent', 'state', 'you may');

const stateOf = ({ pausedSince }: Row, now: number): Cell =>
  pausedSince === undefined
    ? { text: 'works', look: 'good' }
    : { text: `paused for ${spanOf(now - pausedSince)}`, look: 'waits' };

function act(name: 'pause' | 'resume', summary: string): Command {
  return {
    name,
    takes: '<agent>',
    summary,
    examples: [`${name} assistant`],
    async run({ args, client }) {
      const [agent = ''] = args;
      if (agent === '') throw usage('the name of the agent is missing; `holdfast agents`');
      const path = `/agents/${encodeURIComponent(agent)}/${name}`;
      const { raw, value } = await client.post(path, {}, agentRow);
      const text = facts([
        ['agent', value.agent],
        [
          'paused',
          value.pausedSince === undefined ? 'no' : ['since ', { at: value.pausedSince, iso: true }],
        ],
      ]);
      return { data: raw, text: [text] };
    },
  };
}

/** Published agents, and stopping the new work of one. */
export const AGENTS: readonly Command[] = [
  {
    name: 'agents',
    summary: 'the published agents, and which of them are paused',
    examples: ['agents', 'agents --json'],
    watchable: true,
    columns: COLUMNS,
    async run({ client, now }) {
      const { raw, value } = await client.get('/agents', agentPage);
      const rows = value.agents.map((row) => [row.agent, stateOf(row, now), row.may.join(', ')]);
      return { data: raw, text: [table({ columns: COLUMNS, rows, none: 'no agents' })] };
    },
  },
  act('pause', 'lets nothing of an agent begin; messages to it are accepted, and wait'),
  act('resume', 'lets a paused agent go on with everything that waited'),
];

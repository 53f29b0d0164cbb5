import type { z } from 'zod';
import { agentPage, agentRow } from '../../shared/operator/agent-schemas.ts';
import { usage } from './cli-error.ts';
import type { Command } from './command.ts';
import { facts, plain, spanOf, table, timeOf } from './table.ts';

type Row = z.input<typeof agentRow>;

const stateOf = ({ pausedSince }: Row, now: number): string =>
  pausedSince === undefined ? 'works' : `paused for ${spanOf(now - pausedSince)}`;

function act(name: 'pause' | 'resume', summary: string): Command {
  return {
    name,
    takes: '<agent>',
    summary,
    async run({ args, client }) {
      const [agent = ''] = args;
      if (agent === '') throw usage('the name of the agent is missing; `holdfast agents`');
      const path = `/agents/${encodeURIComponent(agent)}/${name}`;
      const { raw, value } = await client.post(path, {}, agentRow);
      const text = facts([
        ['agent', plain(value.agent)],
        ['paused', value.pausedSince === undefined ? 'no' : `since ${timeOf(value.pausedSince)}`],
      ]);
      return { data: raw, text };
    },
  };
}

/** Published agents, and stopping the new work of one. */
export const AGENTS: readonly Command[] = [
  {
    name: 'agents',
    summary: 'the published agents, and which of them are paused',
    watchable: true,
    async run({ client, now }) {
      const { raw, value } = await client.get('/agents', agentPage);
      const rows = value.agents.map((row) => [
        plain(row.agent),
        stateOf(row, now),
        row.may.join(', '),
      ]);
      return { data: raw, text: table(['agent', '', 'you may'], rows) };
    },
  },
  act('pause', 'lets nothing of an agent begin; messages to it are accepted, and wait'),
  act('resume', 'lets a paused agent go on with everything that waited'),
];

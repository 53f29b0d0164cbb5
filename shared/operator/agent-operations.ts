import { z } from 'zod';
import type { App } from '../app/app.ts';
import type { Operator } from '../app/operators/operator-rights.ts';
import {
  type PausableAgent,
  pausable,
  pauseAgent,
  resumeAgent,
} from '../app/operators/pause-agent.ts';
import { type AgentName, agentName } from '../domain/ids.ts';
import { agentCard, agentPage, agentRow } from './agent-schemas.ts';
import { fail, taken } from './failure.ts';
import { operation, requireOperator, type Surroundings } from './operation.ts';

const nothing = z.strictObject({});

async function rowOf({ agent, paused }: PausableAgent, { rights }: Operator) {
  const may = [...(await rights(agent))];
  return { agent, may, ...(paused && { pausedSince: paused.since }) };
}

type Act = (
  app: App,
  caller: Operator,
  agent: AgentName,
) => ReturnType<typeof pauseAgent | typeof resumeAgent>;

async function acted(act: Act, { app, caller }: Surroundings, name = '') {
  const agent = agentName(name);
  if (agent === undefined) throw fail('AGENT_NOT_FOUND');
  return rowOf(taken(await act(app, caller, agent)), caller);
}

export const agentOperations = [
  operation({
    id: 'listAgents',
    method: 'GET',
    path: '/agents',
    summary: 'The agents that are published here and that the operator has any right on.',
    right: 'any',
    answer: agentPage,
    async handle(around) {
      await requireOperator(around);
      const { agents, app, caller } = around;
      const pauses = await app.pausedAgents.all();
      const rows = await Promise.all(
        agents.map((agent) => rowOf(pausable(agent, pauses.get(agent) ?? []), caller)),
      );
      return { agents: rows.filter(({ may }) => may.length > 0) };
    },
  }),
  operation({
    id: 'agentCard',
    method: 'GET',
    path: '/agents/{agent}/card',
    summary: 'The card of an agent as its callers see it.',
    right: 'any',
    answer: agentCard,
    errors: ['AGENT_NOT_FOUND'],
    async handle({ agents, caller, cards }, { params }) {
      const agent = agents.find((each) => each === params['agent']);
      const may = agent === undefined ? undefined : await caller.rights(agent);
      const seen = agent === undefined || may?.size === 0 ? undefined : await cards?.(agent);
      if (agent === undefined || seen === undefined) throw fail('AGENT_NOT_FOUND');
      return { agent, ...seen, missing: [...seen.missing] };
    },
  }),
  operation({
    id: 'pauseAgent',
    method: 'POST',
    path: '/agents/{agent}/pause',
    summary:
      'Lets nothing of the agent begin: messages are accepted and wait, what is under way ends its segment.',
    right: 'pause',
    body: nothing,
    answer: agentRow,
    errors: ['AGENT_NOT_FOUND'],
    handle: (around, { params }) => acted(pauseAgent, around, params['agent']),
  }),
  operation({
    id: 'resumeAgent',
    method: 'POST',
    path: '/agents/{agent}/resume',
    summary: 'Lets a paused agent go on with everything that waited.',
    right: 'pause',
    body: nothing,
    answer: agentRow,
    errors: ['AGENT_NOT_FOUND'],
    handle: (around, { params }) => acted(resumeAgent, around, params['agent']),
  }),
];

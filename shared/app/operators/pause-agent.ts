import { type AgentPause, pausedFrom, resumedAt } from '../../domain/agent-pause.ts';
import type { AgentName } from '../../domain/ids.ts';
import type { Right } from '../../ports/grants.ts';
import type { App } from '../app.ts';
import { prepareAudit } from '../content/audit-record.ts';
import { wakeUp } from '../wake-up.ts';
import { notAllowed, type OperatorRefused } from './operator-refusal.ts';
import type { Operator } from './operator-rights.ts';
import { walkRuns } from './walk-runs.ts';

/** An agent, and since when nothing of its runs begins. */
export interface PausableAgent {
  readonly kind: 'agent';
  readonly agent: AgentName;
  readonly paused?: AgentPause;
}

/**
 * From now on no segment of the agent's runs begins, in any process, within seconds. Messages are
 * accepted and decisions stored; a segment that is under way goes on to its end, waits go on. That
 * it is paused already is no error.
 */
export async function pauseAgent(
  app: App,
  operator: Operator,
  agent: AgentName,
): Promise<PausableAgent | OperatorRefused> {
  const refused = await agentFor(app, operator, agent, 'pause');
  if (refused !== undefined) return refused;
  const now = app.clock.now();
  const note = await prepareAudit(app, { act: 'pause-agent', operator: operator.subject });
  const pauses = await app.pausedAgents.change(
    agent,
    (before) => pausedFrom(before, now),
    (tx) => note(tx, { agent }),
  );
  app.log.write('info', 'agent paused', { agent });
  return pausable(agent, pauses);
}

/** What waited begins now: its runs are woken up here, and what is missed by the sweeper. */
export async function resumeAgent(
  app: App,
  operator: Operator,
  agent: AgentName,
): Promise<PausableAgent | OperatorRefused> {
  const refused = await agentFor(app, operator, agent, 'pause');
  if (refused !== undefined) return refused;
  const now = app.clock.now();
  const note = await prepareAudit(app, { act: 'resume-agent', operator: operator.subject });
  const pauses = await app.pausedAgents.change(
    agent,
    (before) => resumedAt(before, now),
    (tx) => note(tx, { agent }),
  );
  const woken = await wakeQueued(app, agent);
  app.log.write('info', 'agent resumed', { agent, woken });
  return pausable(agent, pauses);
}

export function pausable(agent: AgentName, pauses: readonly AgentPause[]): PausableAgent {
  const paused = pauses.find(({ until }) => until === null);
  return { kind: 'agent', agent, ...(paused && { paused }) };
}

/** Undefined: this operator may. An agent on which they have no right is as unknown as no agent. */
export async function agentFor(
  app: App,
  { rights }: Operator,
  agent: AgentName,
  right: Right,
): Promise<OperatorRefused | undefined> {
  const may = await rights(agent);
  if (app.agents.get(agent) === undefined || may.size === 0)
    return notAllowed('AGENT_NOT_FOUND', 'agent not found');
  if (may.has(right)) return undefined;
  return notAllowed('PERMISSION_DENIED', `this needs the right ${right} on the agent ${agent}`);
}

/** Names of wake-ups that neither the sweeper nor an early delivery uses (decision 0009). */
const RESUMED = 2_000_000;

async function wakeQueued(app: App, agent: AgentName): Promise<number> {
  const now = app.clock.now();
  const repeat = RESUMED + Math.floor(now / 1_000);
  return walkRuns(app, 'queued', async (run) => {
    if (run.status !== 'queued' || run.agent !== agent || run.notBefore > now) return false;
    await wakeUp(app, run, ['run'], () => repeat);
    return true;
  });
}

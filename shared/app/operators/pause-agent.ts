import { type AgentPause, pausedFrom, resumedAt } from '../../domain/agent-pause.ts';
import type { AgentName } from '../../domain/ids.ts';
import type { Run } from '../../domain/run.ts';
import type { Right } from '../../ports/grants.ts';
import type { Cursor, Entry } from '../../ports/store.ts';
import type { App } from '../app.ts';
import { readableRunCodec } from '../records/run-document.ts';
import { faultName, wakeUp } from '../wake-up.ts';
import { notAllowed, type OperatorRefused } from './operator-refusal.ts';
import type { Operator } from './operator-rights.ts';

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
  const pauses = await app.pausedAgents.change(agent, (before) => pausedFrom(before, now));
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
  const pauses = await app.pausedAgents.change(agent, (before) => resumedAt(before, now));
  const woken = await wakeQueued(app, (run) => run.agent === agent && run.notBefore <= now);
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

/** A backlog beyond this is left to the sweeper, which comes within seconds, too. */
const LOOKED = 5_000;
const PAGE = 100;
const AT_ONCE = 10;
/** Names of wake-ups that neither the sweeper nor an early delivery uses (decision 0009). */
const RESUMED = 2_000_000;

type QueuedRun = Extract<Run, { status: 'queued' }>;

/** Wakes up queued runs, those that wait longest first. Answers how many. */
async function wakeQueued(app: App, isMeant: (run: QueuedRun) => boolean): Promise<number> {
  const { runs: shards } = await app.shards.toRead();
  const repeat = RESUMED + Math.floor(app.clock.now() / 1_000);
  let woken = 0;
  for (let shard = 0; shard < shards; shard += 1) {
    let after: Cursor | undefined;
    let looked = 0;
    do {
      const page = await queuedIn(app, shard, after);
      const due = page.flatMap(({ value }) =>
        value?.status === 'queued' && isMeant(value) ? [value] : [],
      );
      for (let at = 0; at < due.length; at += AT_ONCE) {
        const some = due.slice(at, at + AT_ONCE);
        await Promise.all(some.map((run) => wakeUp(app, run, ['run'], () => repeat)));
      }
      woken += due.length;
      looked += page.length;
      after = page.length === PAGE ? page.at(-1)?.cursor : undefined;
    } while (after !== undefined && looked < LOOKED);
  }
  return woken;
}

async function queuedIn(
  app: App,
  shard: number,
  after: Cursor | undefined,
): Promise<readonly Entry<Run | undefined>[]> {
  try {
    const query = {
      collection: 'runs',
      codec: readableRunCodec,
      filters: [
        { field: 'shard', equals: shard },
        { field: 'status', equals: 'queued' },
      ],
      order: { field: 'statusAt', direction: 'asc' as const },
      limit: PAGE,
    };
    return await app.store.page(query, after);
  } catch (error) {
    // The agent is resumed all the same, and the sweeper finds the rows.
    app.log.write('warning', 'runs not woken up', { fault: faultName(error) });
    return [];
  }
}

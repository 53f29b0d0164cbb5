import type { Circuit } from '../../domain/circuit.ts';
import type { AgentName } from '../../domain/ids.ts';
import type { Run } from '../../domain/run.ts';
import { dueAtOnce } from '../../domain/waiting.ts';
import type { App } from '../app.ts';
import { changeRun } from '../change/change-run.ts';
import { prepareAudit } from '../content/audit-record.ts';
import { wakeUp } from '../wake-up.ts';
import { notAllowed, type OperatorRefused } from './operator-refusal.ts';
import type { Operator } from './operator-rights.ts';
import { walkRuns } from './walk-runs.ts';

/** A remote agent by its name, and the agents that declare one of that name. */
export interface DeclaredRemote {
  readonly kind: 'remote';
  readonly name: string;
  readonly agents: readonly AgentName[];
  /** What is known of it, if it is left alone just now. */
  readonly circuits: readonly Circuit[];
}

/** Of agents that this operator has any right on, by name. */
export async function declaredRemotes(
  app: App,
  { rights }: Operator,
  agents: readonly AgentName[],
): Promise<readonly DeclaredRemote[]> {
  const open = await app.circuits.open();
  const by = new Map<string, AgentName[]>();
  for (const agent of agents) {
    if ((await rights(agent)).size === 0) continue;
    for (const { name } of app.agents.get(agent)?.remotes ?? [])
      by.set(name, [...(by.get(name) ?? []), agent]);
  }
  return [...by]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, declaring]) => ({
      kind: 'remote',
      name,
      agents: declaring,
      circuits: open.filter(({ remote }) => remote === name),
    }));
}

/**
 * What was known of a remote is forgotten: it is called as if it had never failed, and what waited
 * for it goes on now. Failed calls are counted anew.
 */
export async function resetRemote(
  app: App,
  operator: Operator,
  agents: readonly AgentName[],
  name: string,
): Promise<DeclaredRemote | OperatorRefused> {
  const found = (await declaredRemotes(app, operator, agents)).find((each) => each.name === name);
  if (found === undefined) return notAllowed('REMOTE_NOT_FOUND', 'remote not found');
  const may = await Promise.all(found.agents.map((agent) => operator.rights(agent)));
  if (!may.some((each) => each.has('send')))
    return notAllowed(
      'PERMISSION_DENIED',
      'this needs the right send on an agent that declares it',
    );
  const note = await prepareAudit(app, {
    act: 'reset-remote',
    operator: operator.subject,
    subject: name,
  });
  await app.circuits.reset(name, (tx) => note(tx, {}));
  const act = (run: Run) => goOn(app, run, name);
  const queued = await walkRuns(app, 'queued', act);
  const polled = await walkRuns(app, 'waiting_for_dependency', act);
  app.log.write('info', 'remote reset', { remote: name, queued, polled });
  return { ...found, circuits: [] };
}

async function goOn(app: App, run: Run, remote: string): Promise<boolean> {
  if (dueAtOnce(run, remote, app.clock.now()) === undefined) return false;
  const outcome = await changeRun(app, run.taskId, {
    decide: (current, now) => dueAtOnce(current, remote, now),
  });
  if (outcome.kind === 'changed') await wakeUp(app, outcome.run, ['run', 'poll']);
  return outcome.kind === 'changed';
}

import { type Principal, taskId as parsedId } from '../../domain/ids.ts';
import { type Refused, refused } from '../../domain/refusal.ts';
import type { Run } from '../../domain/run.ts';
import type { DeciderKind, DecisionKind } from '../../domain/step.ts';
import type { App } from '../app.ts';
import { runDoc } from '../records/documents.ts';
import { failIfUnreadable } from '../change/fail-if-unreadable.ts';
import { ownRun, unknownTask } from '../change/own-run.ts';

/** Who decides, as the edge has established it. */
export type Decider =
  | { readonly kind: 'owner'; readonly principal: Principal }
  | { readonly kind: 'operator'; readonly subject: string };

/** The name that a decider is remembered by. */
export const actorOf = (decider: Decider): string =>
  decider.kind === 'owner' ? decider.principal.owner : decider.subject;

/**
 * The run to decide about. An owner finds only its own runs (G23), an operator those of agents that
 * they have a right on.
 */
export async function runToDecide(
  app: App,
  decider: Decider,
  taskId: string,
): Promise<Run | Refused> {
  if (decider.kind === 'owner') return ownRun(app, decider.principal, taskId);
  const known = parsedId(taskId);
  const run = known === undefined ? undefined : await app.store.get(runDoc(known));
  if (run === undefined || run.status === 'purging') return unknownTask();
  const { subject } = decider;
  const knows =
    (await app.grants.allows(subject, 'decide', run.agent)) ||
    (await app.grants.allows(subject, 'view', run.agent));
  return (knows ? await failIfUnreadable(app, run) : undefined) ?? unknownTask();
}

/**
 * Whether that person may decide that, as of now: asked when the decision is stored, and again
 * before its first effect (G18). An owner may always answer what its task asks.
 */
export async function mayDecide(
  app: App,
  run: Run,
  by: DeciderKind,
  actor: string,
  kind: DecisionKind,
): Promise<Refused | undefined> {
  const agent = app.agents.get(run.agent);
  if (agent === undefined) return notAllowed('the agent of this task is not published here');
  const { fourEyes = false, owner = false } = agent.publication?.decisions ?? {};
  const puts = kind === 'input';
  if (by === 'owner') {
    if (puts || (owner && !fourEyes)) return undefined;
    return notAllowed('only an operator decides that for this agent');
  }
  if (!(await app.grants.allows(actor, 'decide', run.agent)))
    return notAllowed('this needs the right to decide for this agent');
  return puts || !fourEyes || !isSameName(actor, run.owner)
    ? undefined
    : notAllowed("a person other than the task's owner must decide that");
}

/** Addresses are written in any case, and one person must not become two by that. */
const isSameName = (one: string, other: string): boolean =>
  one.toLowerCase() === other.toLowerCase();

const notAllowed = (why: string): Refused => refused('DECISION_NOT_ALLOWED', why);

import type { AgentName } from '../../domain/ids.ts';
import type { Run } from '../../domain/run.ts';
import { type Right, RIGHTS } from '../../ports/grants.ts';
import type { App } from '../app.ts';

/**
 * What one operator may do to runs of an agent, asked once for each agent: good for one request,
 * and not for the next.
 */
export type Rights = (agent: AgentName) => Promise<ReadonlySet<Right>>;

export function rightsOf(app: App, subject: string): Rights {
  const known = new Map<AgentName, Promise<ReadonlySet<Right>>>();
  const ask = async (agent: AgentName): Promise<ReadonlySet<Right>> => {
    const answers = await Promise.all(
      RIGHTS.map((right) => app.grants.allows(subject, right, agent)),
    );
    return new Set(RIGHTS.filter((_, at) => answers[at]));
  };
  return (agent) => {
    const present = known.get(agent) ?? ask(agent);
    known.set(agent, present);
    return present;
  };
}

/** Who asks, by the name that grants are given to, and what they may. */
export interface Operator {
  readonly subject: string;
  readonly rights: Rights;
}

/** A run that an operator may see, and what they may do to it. */
export interface Seen {
  readonly run: Run;
  readonly may: ReadonlySet<Right>;
}

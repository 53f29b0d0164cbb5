import { type Principal, taskId } from '../../domain/ids.ts';
import type { Run } from '../../domain/run.ts';
import type { Right } from '../../ports/grants.ts';
import type { App } from '../app.ts';
import { runDoc } from '../records/documents.ts';
import { notAllowed, type OperatorRefused, unknownRun } from './operator-refusal.ts';
import type { Rights, Seen } from './operator-rights.ts';

/**
 * The run, for an operator who has any right on its agent; unknown to all others, as one that does
 * not exist.
 */
export async function seenRun(
  app: App,
  rights: Rights,
  id: string,
): Promise<Seen | OperatorRefused> {
  const known = taskId(id);
  const run = known === undefined ? undefined : await app.store.get(runDoc(known));
  if (run === undefined || run.status === 'purging') return unknownRun();
  const may = await rights(run.agent);
  return may.size === 0 ? unknownRun() : { run, may };
}

/** The same for an operator who is about to do something that needs this right. */
export async function runFor(
  app: App,
  rights: Rights,
  id: string,
  right: Right,
): Promise<Seen | OperatorRefused> {
  const seen = await seenRun(app, rights, id);
  if ('kind' in seen || seen.may.has(right)) return seen;
  return notAllowed(
    'PERMISSION_DENIED',
    `this needs the right ${right} on the agent ${seen.run.agent}`,
  );
}

/** The run's own caller, in whose name an operator with the right to reads or changes it. */
export function principalOfRun({ agent, owner, tenant }: Run): Principal {
  return { agent, owner, tenant, authenticated: owner !== '' };
}

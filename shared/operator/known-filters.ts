import { type RunFilter, SHOWN_STATUSES } from '../app/operators/run-filter.ts';
import { FAILURE_REASONS } from '../domain/failure-reason.ts';
import { fail } from './failure.ts';
import type { Surroundings } from './operation.ts';

const STATUSES: readonly string[] = [...SHOWN_STATUSES, 'open', 'ended'];

type Asked = {
  readonly [K in keyof Pick<RunFilter, 'agent' | 'reason' | 'status'>]?: string | undefined;
};

/**
 * Throws for a filter whose value is none that this installation knows: an empty list would hide a
 * slip of the pen. An agent on which the caller has no right is as unknown as one that does not
 * exist.
 */
export async function requireKnown(
  { agents, caller }: Pick<Surroundings, 'agents' | 'caller'>,
  { agent, reason, status }: Asked,
): Promise<void> {
  if (status !== undefined) requireOneOf('status', status, STATUSES);
  if (reason !== undefined) requireOneOf('reason', reason, FAILURE_REASONS);
  if (agent === undefined) return;
  const rights = await Promise.all(agents.map((name) => caller.rights(name)));
  requireOneOf(
    'agent',
    agent,
    agents.filter((_, at) => (rights[at]?.size ?? 0) > 0),
  );
}

function requireOneOf(field: string, given: string, known: readonly string[]): void {
  if (known.includes(given)) return;
  const words = `${field}: ${JSON.stringify(given)} is not known, and no run has it; it is one of ${known.join(', ')}`;
  throw fail('INVALID_PARAMS', words, { field });
}

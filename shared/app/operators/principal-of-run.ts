import type { Principal } from '../../domain/ids.ts';
import type { Run } from '../../domain/run.ts';

/** The run's own caller, in whose name an operator with the right to reads or changes it. */
export function principalOfRun({ agent, owner, tenant }: Run): Principal {
  return { agent, owner, tenant, authenticated: owner !== '' };
}

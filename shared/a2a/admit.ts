import type { AgentName, Principal } from '../domain/ids.ts';
import type { CallerHeaders, Identity, NoEntry, PrincipalOf } from '../ports/access.ts';
import { isPassing } from '../ports/faults.ts';
import { EdgeError, fail, type FailureCode } from './failure.ts';

/** Seconds. A failed look for an issuer's keys is repeated after as long. */
const RETRY = 5;

const CODES: Readonly<Record<NoEntry['kind'], FailureCode>> = {
  unauthenticated: 'UNAUTHENTICATED',
  forbidden: 'PERMISSION_DENIED',
  exhausted: 'QUOTA_EXCEEDED',
};

/**
 * Who sends a request, in any binding. Throws EdgeError for a caller who may not come in, or of
 * whom nothing can be said for the time being: that is a fault of ours, and no 401.
 */
export async function admit(
  principalOf: PrincipalOf,
  headers: CallerHeaders,
  agent: AgentName,
): Promise<Identity> {
  const answer = await principalOf(headers, agent).catch((error: unknown) => {
    if (!isPassing(error)) throw error;
    const message = 'Who calls can not be checked at the moment; try again.';
    const retryAfter = error.advice === 'wait' ? 30 : RETRY;
    throw new EdgeError({ code: 'IDENTITY_UNAVAILABLE', message, retryAfter }, error);
  });
  if (!('kind' in answer)) return answer;
  const { challenge, kind, message, retryAfter } = answer;
  throw fail(CODES[kind], message, {
    ...(challenge === undefined ? {} : { challenge }),
    ...(retryAfter === undefined ? {} : { retryAfter }),
  });
}

/**
 * For whom a request works, in any binding: in the caller's own tenant, or in the one that is named
 * where a caller has none of its own. Throws EdgeError, the same for a tenant of others as for one
 * that there is not (G23).
 */
export function principalFor(agent: AgentName, identity: Identity, named: string): Principal {
  const { authenticated, owner, tenant = named } = identity;
  if (named === '' || named === tenant) return { agent, tenant, owner, authenticated };
  throw fail('PERMISSION_DENIED', 'The caller does not work in the tenant that the request names.');
}

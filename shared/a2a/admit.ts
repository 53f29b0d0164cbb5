import type { AgentName, Principal } from '../domain/ids.ts';
import type { CallerHeaders, Identity, NoEntry, PrincipalOf } from '../ports/access.ts';
import { fail, type FailureCode } from './failure.ts';

const CODES: Readonly<Record<NoEntry['kind'], FailureCode>> = {
  unauthenticated: 'UNAUTHENTICATED',
  forbidden: 'PERMISSION_DENIED',
  exhausted: 'QUOTA_EXCEEDED',
  unavailable: 'IDENTITY_UNAVAILABLE',
};

/** Who sends a request, in any binding. Throws EdgeError for a caller who may not come in. */
export async function admit(
  principalOf: PrincipalOf,
  headers: CallerHeaders,
  agent: AgentName,
): Promise<Identity> {
  const answer = await principalOf(headers, agent);
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

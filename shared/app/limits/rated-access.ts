import type { PrincipalOf } from '../../ports/access.ts';
import type { OwnerRates } from './owner-rates.ts';

/**
 * Lets authenticated callers in as often as they may come. Callers who can't be told from another
 * are one owner, and have no such limit.
 */
export function withOwnerRates(principalOf: PrincipalOf, rates: OwnerRates): PrincipalOf {
  return async (headers, agent) => {
    const answer = await principalOf(headers, agent);
    if ('kind' in answer || !answer.authenticated) return answer;
    const retryAfter = await rates.take(JSON.stringify([answer.tenant ?? '', answer.owner]));
    if (retryAfter === undefined) return answer;
    const message = `You send more requests than you may (limit ownerRequests: ${rates.perSecond} a second); send fewer, or subscribe instead of polling.`;
    return { kind: 'exhausted', message, retryAfter };
  };
}

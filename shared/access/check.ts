import type { Access, CallerHeaders, Identity, NoEntry, SecurityScheme } from '../ports/access.ts';

/** One way to prove who one is: what is checked of a request, and what the card says of it. */
export interface Check {
  /** By the names that cards give them; each is enough alone. */
  readonly schemes: Readonly<Record<string, SecurityScheme>>;
  /** Of WWW-Authenticate (RFC 9110 section 11.6.1). */
  readonly challenge: string;
  /** Undefined: the request shows nothing of this kind. */
  identify(headers: CallerHeaders): Promise<Identity | NoEntry | undefined>;
}

export interface AccessOptions {
  readonly checks: readonly Check[];
  /** A request that shows nothing is let in, as the one anonymous caller. */
  readonly anonymous: boolean;
  /** What a platform before this process asks of every request. */
  readonly front?: { readonly name: string; readonly scheme: SecurityScheme };
}

/**
 * Several ways as one. The first that a request shows decides, also when another might have let it
 * in: what is wrong is never passed over for something weaker.
 */
export function createAccess({ anonymous, checks, front }: AccessOptions): Access {
  const schemes = Object.assign({}, ...checks.map((each) => each.schemes)) as Record<
    string,
    SecurityScheme
  >;
  const declared = { ...schemes, ...(front && { [front.name]: front.scheme }) };
  const always = front === undefined ? [] : [front.name];
  const alternatives = [...Object.keys(schemes).map((name) => [name]), ...(anonymous ? [[]] : [])];
  const challenge = checks.map((check) => check.challenge).join(', ');
  return {
    async principalOf(headers) {
      for (const check of checks) {
        const found = await check.identify(headers);
        if (found !== undefined) return found;
      }
      if (anonymous) return { owner: '', authenticated: false };
      return {
        kind: 'unauthenticated',
        message: 'The request does not say who sends it; the agent card names the ways.',
        challenge,
      };
    },
    ...(Object.keys(declared).length > 0 && {
      security: {
        schemes: declared,
        challenge,
        alternatives: alternatives.map((names) => [...new Set([...always, ...names])]),
      },
    }),
  };
}

/** No one is let in by what was shown. The challenge says it to programs (RFC 6750 section 3). */
export function invalidToken(why: string): NoEntry {
  const challenge = `Bearer realm="a2a", error="invalid_token", error_description="${why}"`;
  return { kind: 'unauthenticated', message: `The token is refused: ${why}.`, challenge };
}

/** It is known who calls, and that this caller may not. */
export function insufficientScope(why: string, scope?: string): NoEntry {
  const wanted = scope === undefined ? '' : `, scope="${scope}"`;
  const challenge = `Bearer realm="a2a", error="insufficient_scope"${wanted}`;
  return { kind: 'forbidden', message: why, challenge };
}

import { callersToken, type Headers } from './callers-token.ts';
import { createOpenToken, emailOf, type TokenOptions } from './open-token.ts';

/** `unknown`: no genuine token (401). `refused`: genuine, and not one of ours (403). */
export type Caller = 'known' | 'unknown' | 'refused';
export type VerifyCaller = (headers: Headers) => Promise<Caller>;

export interface CallerOptions extends Omit<TokenOptions, 'audiences'> {
  readonly audience: string;
  readonly serviceAccounts: readonly string[];
}

/**
 * Checks the token of a call: signature, issuer, audience, time, and whose it is. Throws
 * Unavailable without keys.
 */
export function createVerifyCaller(options: CallerOptions): VerifyCaller {
  const { audience, serviceAccounts, ...rest } = options;
  const openToken = createOpenToken({ ...rest, audiences: [audience] });
  return async (headers) => {
    const token = callersToken(headers, options.signature);
    const claims = token === undefined ? undefined : await openToken(token);
    if (claims === undefined) return 'unknown';
    const email = emailOf(claims);
    return serviceAccounts.some((each) => each === email) ? 'known' : 'refused';
  };
}

import type { CallerHeaders } from '../ports/access.ts';
import { callersToken } from './callers-token.ts';
import { createOpenGoogleToken, emailOf, type GoogleTokenOptions } from './google-token.ts';

/** `unknown`: no genuine token (401). `refused`: genuine, and not one of ours (403). */
export type Caller = 'known' | 'unknown' | 'refused';
export type VerifyCaller = (headers: CallerHeaders) => Promise<Caller>;

export interface CallerOptions extends Omit<GoogleTokenOptions, 'audiences'> {
  readonly audience: string;
  readonly serviceAccounts: readonly string[];
}

/**
 * Checks the token of a call: signature, issuer, audience, time, and whose it is. Throws
 * Unavailable without keys.
 */
export function createVerifyCaller(options: CallerOptions): VerifyCaller {
  const { audience, serviceAccounts, ...rest } = options;
  const openToken = createOpenGoogleToken({ ...rest, audiences: [audience] });
  return async (headers) => {
    const token = callersToken(headers, options.signature);
    const opened = token === undefined ? undefined : await openToken(token);
    if (opened?.kind !== 'genuine') return 'unknown';
    const email = emailOf(opened.claims);
    return serviceAccounts.some((each) => each === email) ? 'known' : 'refused';
  };
}

import type { IncomingMessage } from 'node:http';
import type { AgentName } from '../domain/ids.ts';
import type { JsonObject } from '../domain/json.ts';

export interface Identity {
  /** Stable name of the authenticated caller; empty without authentication. */
  readonly owner: string;
  readonly authenticated: boolean;
  /** What else is known of the caller, for agents; sealed with its message. */
  readonly claims?: JsonObject;
}

/**
 * The caller may not come in; `challenge` is the value of WWW-Authenticate, which says what would
 * help.
 */
export interface NoEntry {
  readonly kind: 'unauthenticated' | 'forbidden' | 'exhausted';
  readonly message: string;
  readonly challenge?: string;
  /** Seconds until another try makes sense, for `exhausted`. */
  readonly retryAfter?: number;
}

/** Says who sends a request. Asked once per request, before its body is read (section 7.4). */
export type PrincipalOf = (req: IncomingMessage, agent: AgentName) => Promise<Identity | NoEntry>;

/** All callers are one anonymous caller. */
export const anonymous: PrincipalOf = () => Promise.resolve({ owner: '', authenticated: false });

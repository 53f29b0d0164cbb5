import type { AgentName } from '../domain/ids.ts';
import type { JsonObject } from '../domain/json.ts';

/**
 * Every value of each header of a request, or of each entry of gRPC's metadata, by its lower-case
 * name.
 */
export type CallerHeaders = Readonly<Record<string, readonly string[] | undefined>>;

export interface Identity {
  /** Stable name of the authenticated caller; empty without authentication. */
  readonly owner: string;
  readonly authenticated: boolean;
  /**
   * The one tenant that the caller works in, whether a request names it or not. Absent: the request
   * says it.
   */
  readonly tenant?: string;
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

/**
 * Says who sends a request, from what the request shows and whatever protocol it came by. Asked
 * once per request, before its body is read (A2A section 7.4). Rejects with a passing fault where
 * that can't be found out for the time being.
 */
export type PrincipalOf = (headers: CallerHeaders, agent: AgentName) => Promise<Identity | NoEntry>;

/** A way to prove who one is, as an agent card declares it (A2A section 4.5). */
export type SecurityScheme =
  | { readonly kind: 'apiKey'; readonly header: string; readonly description: string }
  | { readonly kind: 'bearer'; readonly format: string; readonly description: string }
  | { readonly kind: 'openId'; readonly url: string; readonly description: string };

export interface Security {
  /** By the names that `alternatives` use. */
  readonly schemes: Readonly<Record<string, SecurityScheme>>;
  /** One of these is enough, and each needs all its schemes; an empty one lets everybody in. */
  readonly alternatives: readonly (readonly string[])[];
  /** What WWW-Authenticate says to a caller who has shown nothing. */
  readonly challenge: string;
}

/** Who may call an edge: what is checked, and what the card declares of it. */
export interface Access {
  readonly principalOf: PrincipalOf;
  /** Absent: callers are asked for nothing. */
  readonly security?: Security;
}

/** All callers are one anonymous caller. */
export const openAccess: Access = {
  principalOf: () => Promise.resolve({ owner: '', authenticated: false }),
};

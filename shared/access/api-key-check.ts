import type { Identity } from '../ports/access.ts';
import type { Check } from './check.ts';

export const API_KEY_HEADER = 'X-API-Key';

/** Whose a key is; undefined for what is none. */
export type HolderOf = (
  text: string,
) => Promise<{ readonly owner: string; readonly tenant: string } | undefined>;

const CHALLENGE = `ApiKey realm="a2a", header="${API_KEY_HEADER}"`;

/** By a key of this installation. Unknown, revoked and expired ones get one answer. */
export function apiKeyCheck(holderOf: HolderOf): Check {
  return {
    schemes: {
      apiKey: {
        kind: 'apiKey',
        header: API_KEY_HEADER,
        description: 'A key that the operator of this agent made for the caller.',
      },
    },
    challenge: CHALLENGE,
    async identify(headers): Promise<Identity | ReturnType<typeof refusal> | undefined> {
      const [text, ...more] = headers[API_KEY_HEADER.toLowerCase()] ?? [];
      if (text === undefined) return undefined;
      const holder = more.length > 0 ? undefined : await holderOf(text.trim());
      if (holder === undefined) return refusal();
      const { owner, tenant } = holder;
      return { owner, tenant, authenticated: true };
    },
  };
}

function refusal() {
  const message = 'The API key is not one that is valid here.';
  return { kind: 'unauthenticated', message, challenge: CHALLENGE } as const;
}

import type { IdTokenClient } from 'google-auth-library';
import { optional, PackageMissing } from '../ports/optional-package.ts';

/**
 * Identity tokens of the service account that this process runs as, each made out for one audience;
 * undefined where there is no such account. The library keeps one until it is about to expire.
 */
export function createIdentityTokens(): (audience: string) => Promise<string | undefined> {
  const clients = new Map<string, Promise<IdTokenClient>>();
  return async (audience) => {
    const client = clients.get(audience) ?? open(audience);
    clients.set(audience, client);
    try {
      const headers = await (await client).getRequestHeaders();
      return headers.get('authorization')?.replace(/^Bearer /, '');
    } catch (error) {
      if (error instanceof PackageMissing) throw error;
      // What could not be opened now may be opened later. The library's words may hold a token.
      clients.delete(audience);
      return undefined;
    }
  };
}

async function open(audience: string): Promise<IdTokenClient> {
  const { GoogleAuth } = await optional(import('google-auth-library'));
  return new GoogleAuth().getIdTokenClient(audience);
}

import { optional } from '../../ports/optional-package.ts';

const SCOPE = 'https://www.googleapis.com/auth/cloud-platform';

/**
 * The header of a call as this deployment's service account; loads the library at the first one.
 */
export type Authorize = () => Promise<Readonly<Record<string, string>>>;

export function openAuthorization(url: string): Authorize {
  let opening: ReturnType<typeof open> | undefined;
  return async () => {
    opening ??= open();
    const auth = await opening;
    return Object.fromEntries(await auth.getRequestHeaders(url));
  };
}

async function open() {
  const { GoogleAuth } = await optional(import('google-auth-library'));
  return new GoogleAuth({ scopes: [SCOPE] });
}

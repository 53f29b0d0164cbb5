import { join } from 'node:path';
import { createOpenIapAssertion } from '../../shared/gcp/tasks/open-iap-assertion.ts';
import { createOpenToken, emailOf } from '../../shared/gcp/tasks/open-token.ts';
import { bearerOf, type Identify } from '../../shared/operator/identity.ts';
import type { Log } from '../../shared/ports/log.ts';
import type { Environment } from '../google-ports.ts';
import { OPERATORS_FILE, openOperatorsFile } from '../operators-file.ts';

/** Of the tokens that `gcloud auth print-identity-token` prints for a person; Cloud Run lets them through. */
const GCLOUD = '32555940559.apps.googleusercontent.com';

/**
 * Who an operator is. Behind Google's front end: by the proxy's signed header where HOLDFAST_IAP_AUDIENCE names its audience, else by
 * the token that Cloud Run has checked. Elsewhere by the tokens in the data folder's file.
 */
export function identifyFrom(
  environment: Environment,
  store: 'embedded' | 'firestore' | 'google',
  data: string,
  log: Log,
): Identify {
  if (store !== 'google') return openOperatorsFile(join(data, OPERATORS_FILE), log).identify;
  const iap = environment['HOLDFAST_IAP_AUDIENCE'];
  if (iap !== undefined && iap !== '') {
    const openAssertion = createOpenIapAssertion({ audience: iap });
    return async (headers) => {
      const assertion = headers['x-goog-iap-jwt-assertion'];
      return typeof assertion === 'string' ? openAssertion(assertion) : undefined;
    };
  }
  const keysUrl = environment['HOLDFAST_TOKEN_KEYS_URL'];
  const issuer = environment['HOLDFAST_TOKEN_ISSUER'];
  const openToken = createOpenToken({
    audiences: [environment['HOLDFAST_AUDIENCE'], GCLOUD].filter((each) => each !== undefined),
    signature: keysUrl === undefined ? 'platform' : 'ours',
    ...(issuer !== undefined && { issuers: [issuer] }),
    ...(keysUrl !== undefined && { keysUrl }),
  });
  return async (headers) => {
    const token = bearerOf(headers);
    const claims = token === undefined ? undefined : await openToken(token);
    return claims && emailOf(claims);
  };
}

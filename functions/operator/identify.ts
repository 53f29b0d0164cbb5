import { join } from 'node:path';
import { callersToken } from '../../shared/gcp/tasks/callers-token.ts';
import { createOpenIapAssertion } from '../../shared/gcp/tasks/open-iap-assertion.ts';
import { createOpenToken, emailOf } from '../../shared/gcp/tasks/open-token.ts';
import type { Identify } from '../../shared/operator/identity.ts';
import type { Log } from '../../shared/ports/log.ts';
import { callersFrom, tokenCheck } from '../callers.ts';
import type { Environment } from '../google-ports.ts';
import { OPERATORS_FILE, openOperatorsFile } from '../operators-file.ts';
import { BadConfiguration } from '../settings.ts';

/**
 * Of the tokens that `gcloud auth print-identity-token` prints for a person; Cloud Run lets them
 * through.
 */
const GCLOUD = '32555940559.apps.googleusercontent.com';

/**
 * Who an operator is. In a deployment as HOLDFAST_CALLERS says: by the proxy's signed header, or by
 * the token that was made out for this function. A token of gcloud itself is made out for no
 * service in particular: a service that was called with it could use it here, so it counts only
 * where HOLDFAST_GCLOUD_USERS says so. Elsewhere by the tokens in the data folder's file. Throws
 * BadConfiguration.
 */
export function identifyFrom(
  environment: Environment,
  store: 'embedded' | 'firestore' | 'google',
  data: string,
  log: Log,
): Identify {
  if (store !== 'google') return openOperatorsFile(join(data, OPERATORS_FILE), log).identify;
  const iap = environment['HOLDFAST_IAP_AUDIENCE'] ?? '';
  if ((callersFrom(environment) === 'iap') !== (iap !== ''))
    throw new BadConfiguration('HOLDFAST_CALLERS=iap and HOLDFAST_IAP_AUDIENCE need each other');
  if (iap !== '') {
    const openAssertion = createOpenIapAssertion({ audience: iap });
    return async (headers) => {
      const [assertion, ...more] = headers['x-goog-iap-jwt-assertion'] ?? [];
      if (assertion === undefined || more.length > 0) return undefined;
      return openAssertion(assertion);
    };
  }
  const check = tokenCheck(environment);
  const gcloud = environment['HOLDFAST_GCLOUD_USERS'] === 'true' ? [GCLOUD] : [];
  const openToken = createOpenToken({
    ...check,
    audiences: [environment['HOLDFAST_AUDIENCE'] ?? '', ...gcloud],
  });
  return async (headers) => {
    const token = callersToken(headers, check.signature);
    const claims = token === undefined ? undefined : await openToken(token);
    return claims && emailOf(claims);
  };
}

import { join } from 'node:path';
import { callersToken } from '../../shared/access/callers-token.ts';
import { createOpenGoogleToken, emailOf } from '../../shared/access/google-token.ts';
import { createOpenIapAssertion, IAP_HEADER } from '../../shared/access/iap-assertion.ts';
import type { Identify } from '../../shared/operator/identity.ts';
import type { Log } from '../../shared/ports/log.ts';
import { fetchJson } from '../../shared/system/fetch-json.ts';
import { systemClock } from '../../shared/system/system-clock.ts';
import { callersFrom, gcloudAudience, tokenCheck } from '../callers.ts';
import type { Environment } from '../google-ports.ts';
import { OPERATORS_FILE, openOperatorsFile } from '../operators-file.ts';
import { BadConfiguration } from '../settings.ts';

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
    const openAssertion = createOpenIapAssertion({ audience: iap, clock: systemClock, fetchJson });
    return async (headers) => {
      const [assertion, ...more] = headers[IAP_HEADER] ?? [];
      if (assertion === undefined || more.length > 0) return undefined;
      const opened = await openAssertion(assertion);
      const email = opened.kind === 'genuine' ? opened.claims['email'] : undefined;
      return typeof email === 'string' ? email : undefined;
    };
  }
  const check = tokenCheck(environment);
  const openToken = createOpenGoogleToken({
    ...check,
    audiences: [environment['HOLDFAST_AUDIENCE'] ?? '', ...gcloudAudience(environment)],
  });
  return async (headers) => {
    const token = callersToken(headers, check.signature);
    const opened = token === undefined ? undefined : await openToken(token);
    return opened?.kind === 'genuine' ? emailOf(opened.claims) : undefined;
  };
}

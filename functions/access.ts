import { apiKeyCheck } from '../shared/access/api-key-check.ts';
import { bearerCheck, type BearerIssuer } from '../shared/access/bearer-check.ts';
import { type AccessOptions, type Check, createAccess } from '../shared/access/check.ts';
import { googleIssuer, iapCheck } from '../shared/access/google-check.ts';
import { createOpenIapAssertion } from '../shared/access/iap-assertion.ts';
import { openIdIssuer } from '../shared/access/open-id-issuer.ts';
import type { App } from '../shared/app/app.ts';
import { createFindApiKey } from '../shared/app/callers/find-api-key.ts';
import type { Access, SecurityScheme } from '../shared/ports/access.ts';
import { fetchJson } from '../shared/system/fetch-json.ts';
import type { AccessSettings } from './access-settings.ts';
import { type Callers, callersFrom, gcloudAudience, tokenCheck } from './callers.ts';
import type { Environment } from './google-ports.ts';
import { BadConfiguration } from './settings.ts';

/** What stands before the A2A edge. On one machine nothing of Google's does. */
export const frontOf = (store: string, environment: Environment): Callers =>
  store === 'google' ? callersFrom(environment) : 'signature';

/**
 * Who may call the agents: the checks, and what cards say of them. Throws BadConfiguration for what
 * does not go together.
 */
export function openAccessOf(
  { clock, settings, store }: Pick<App, 'clock' | 'settings' | 'store'>,
  { issuers, ways }: AccessSettings,
  front: Callers,
  environment: Environment,
): Access {
  const bearers: BearerIssuer[] = [
    ...(ways.includes('google') ? [google(front, environment)] : []),
    ...issuers.map((each, at) =>
      openIdIssuer(at === 0 ? 'oidc' : `oidc${at + 1}`, each, { clock, fetchJson }),
    ),
  ];
  const find = createFindApiKey({ store, clock, memory: settings.revocationDelay });
  const checks: Check[] = [
    ...(ways.includes('keys') ? [apiKeyCheck(find)] : []),
    ...(ways.includes('iap') ? [iap(environment, clock)] : []),
    ...(bearers.length > 0 ? [bearerCheck(bearers)] : []),
  ];
  const before = FRONTS[front];
  return createAccess({
    checks,
    anonymous: ways.includes('open'),
    ...(before !== undefined && { front: before }),
  });
}

function google(front: Callers, environment: Environment): BearerIssuer {
  if (front === 'iap')
    throw new BadConfiguration('behind Identity-Aware Proxy, --access google must be iap');
  const named = [environment['HOLDFAST_AUDIENCE'], environment['HOLDFAST_BASE_URL']];
  const audiences = [...new Set(named.flatMap((each) => (each ? [each] : [])))];
  if (audiences.length === 0)
    throw new BadConfiguration(
      '--access google needs HOLDFAST_AUDIENCE, the address that tokens are made out for',
    );
  return googleIssuer({
    ...tokenCheck({ ...environment, HOLDFAST_CALLERS: front }),
    audiences: [...audiences, ...gcloudAudience(environment)],
  });
}

function iap(environment: Environment, clock: App['clock']): Check {
  const audience = environment['HOLDFAST_IAP_AUDIENCE'] ?? '';
  if (audience === '')
    throw new BadConfiguration('--access iap needs HOLDFAST_IAP_AUDIENCE, as Google shows it');
  return iapCheck(createOpenIapAssertion({ audience, clock, fetchJson }));
}

const bearer = (description: string): SecurityScheme => ({
  kind: 'bearer',
  format: 'JWT',
  description,
});

/** What a platform asks before a request comes here. Cards say it, too. */
const FRONTS: Readonly<Record<Callers, AccessOptions['front']>> = {
  iam: {
    name: 'platform',
    scheme: bearer(
      'A Google-signed identity token for the address of this service. Where Authorization holds another one, it goes into X-Serverless-Authorization.',
    ),
  },
  iap: {
    name: 'iap',
    scheme: bearer('An identity token for the client of Identity-Aware Proxy, which checks it.'),
  },
  signature: undefined,
};

import { z } from 'zod';
import type { JsonObject } from '../domain/json.ts';
import { tenantProblem } from '../domain/tenant.ts';
import type { Identity, NoEntry } from '../ports/access.ts';
import type { Clock } from '../ports/clock.ts';
import type { FetchJson } from '../ports/fetch-json.ts';
import type { BearerIssuer } from './bearer-check.ts';
import { insufficientScope } from './check.ts';
import { emailOf } from './google-token.ts';
import { address, type OpenIdIssuer } from './issuer-settings.ts';
import { KeySet } from './key-set.ts';
import { createVerifyToken } from './verify-token.ts';

export interface IssuerPorts {
  readonly fetchJson: FetchJson;
  readonly clock: Pick<Clock, 'now'>;
}

const discovery = z.object({ issuer: z.string(), jwks_uri: address });
/** An owner's name is in every row of its tasks. */
const LONGEST = 512;

/** `name`: in agent cards. */
export function openIdIssuer(
  name: string,
  settings: OpenIdIssuer,
  { clock, fetchJson }: IssuerPorts,
): BearerIssuer {
  const { algorithms, audience, issuer } = settings;
  const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  /** An issuer can't speak for another one (OpenID Connect Discovery section 4.3). */
  const discovered = async (): Promise<string> => {
    const found = discovery.parse(await fetchJson(url));
    if (found.issuer === issuer) return found.jwks_uri;
    throw new Error(`${url} is the document of another issuer`);
  };
  const keys = new KeySet({
    url: () => (settings.keys === undefined ? discovered() : Promise.resolve(settings.keys)),
    fetchJson,
    clock,
  });
  const audiences = typeof audience === 'string' ? [audience] : audience;
  return {
    name,
    scheme: {
      kind: 'openId',
      url,
      description: `A token of ${issuer} for the audience ${audiences.join(' or ')}.`,
    },
    issuers: [issuer],
    signature: 'ours',
    verify: createVerifyToken({ issuers: [issuer], audiences, algorithms, keys, clock }),
    identityOf: (claims) => identityOf(settings, claims),
  };
}

function identityOf(settings: OpenIdIssuer, claims: JsonObject): Identity | NoEntry {
  const { scope } = settings;
  if (scope !== undefined && !scopesOf(claims).includes(scope))
    return insufficientScope('The token lacks a scope that is needed here.', scope);
  const { sub } = claims;
  const subject = typeof sub === 'string' ? `${settings.issuer}#${sub}` : undefined;
  const owner = settings.owner === 'email' ? emailOf(claims) : subject;
  if (owner === undefined || owner.length > LONGEST)
    return insufficientScope('The token names no owner: it must hold a verified address.');
  const tenant = settings.tenant === undefined ? '' : claims[settings.tenant];
  if (typeof tenant !== 'string' || (tenant !== '' && tenantProblem(tenant) !== undefined))
    return insufficientScope('The token names no tenant.');
  if (settings.tenant !== undefined && tenant === '')
    return insufficientScope('The token names no tenant.');
  return { owner, tenant, authenticated: true, claims };
}

/** `scope` with spaces (RFC 8693 section 4.2), and `scp` as some issuers write it. */
function scopesOf({ scope, scp }: JsonObject): readonly unknown[] {
  const listed: readonly unknown[] = Array.isArray(scp) ? scp : [];
  const written = [scope, scp].filter((each) => typeof each === 'string');
  return [...listed, ...written.flatMap((each) => each.split(' '))];
}

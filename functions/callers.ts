import type { GoogleTokenOptions } from '../shared/access/google-token.ts';
import { createVerifyCaller, type VerifyCaller } from '../shared/access/verify-caller.ts';
import { fetchJson } from '../shared/system/fetch-json.ts';
import { systemClock } from '../shared/system/system-clock.ts';
import { EMULATORS } from './emulator-variables.ts';
import type { Environment } from './google-ports.ts';
import { BadConfiguration } from './settings.ts';

/**
 * What HOLDFAST_CALLERS can say: who has checked a caller before the function runs. `iam`: Cloud
 * Run, by its invokers; `iap`: Identity-Aware Proxy; `signature`: nothing, so the function checks
 * signatures itself.
 */
export type Callers = 'iam' | 'iap' | 'signature';

/** Throws BadConfiguration: the code can't see what stands before it, and never guesses. */
export function callersFrom(environment: Environment): Callers {
  const said = environment['HOLDFAST_CALLERS'];
  if (said === 'iam' || said === 'iap' || said === 'signature') return said;
  throw new BadConfiguration(
    `HOLDFAST_CALLERS is ${JSON.stringify(said ?? '')}; it must be iam, iap or signature`,
  );
}

export type TokenCheck = Omit<GoogleTokenOptions, 'audiences'>;

/**
 * How tokens are checked; with the keys of an emulator if the environment names them. Throws
 * BadConfiguration.
 */
export function tokenCheck(environment: Environment): TokenCheck {
  const callers = callersFrom(environment);
  if (callers === 'iap')
    throw new BadConfiguration('HOLDFAST_CALLERS must be iam or signature here');
  const issuer = environment[EMULATORS.issuer];
  const keysUrl = environment[EMULATORS.keys];
  return {
    clock: systemClock,
    fetchJson,
    signature: callers === 'iam' ? 'platform' : 'ours',
    ...(issuer !== undefined && { issuers: [issuer] }),
    ...(keysUrl !== undefined && { keysUrl }),
  };
}

/**
 * Of the tokens that `gcloud auth print-identity-token` prints for a person; Cloud Run lets them
 * through.
 */
const GCLOUD = '32555940559.apps.googleusercontent.com';

/** Where the deployment takes what other services can have seen. */
export function gcloudAudience(environment: Environment): readonly string[] {
  return environment['HOLDFAST_GCLOUD_USERS'] === 'true' ? [GCLOUD] : [];
}

/**
 * The check of the caller of a function that only one of our accounts may call: a queue's, or the
 * scheduler's. Throws BadConfiguration.
 */
export function callerCheck(
  variables: ReadonlyMap<string, string>,
  environment: Environment,
): VerifyCaller {
  return createVerifyCaller({
    ...tokenCheck(environment),
    audience: variables.get('HOLDFAST_AUDIENCE') ?? '',
    serviceAccounts: [variables.get('HOLDFAST_CALLER') ?? ''],
  });
}

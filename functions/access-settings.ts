import { z } from 'zod';
import { issuerSchema, type OpenIdIssuer } from '../shared/access/issuer-settings.ts';
import { BadConfiguration } from './settings.ts';

export const WAYS = ['open', 'keys', 'google', 'iap', 'oidc'] as const;
export type Way = (typeof WAYS)[number];

/** How callers of the agents prove who they are. */
export interface AccessSettings {
  readonly ways: readonly Way[];
  readonly issuers: readonly OpenIdIssuer[];
  /** It is meant that callers who prove nothing spend and decide. */
  readonly openAnyway: boolean;
}

/** Reads the values of HOLDFAST_ACCESS and HOLDFAST_ISSUERS. Throws BadConfiguration. */
export function accessSettings(
  ways: readonly string[],
  issuers: string | undefined,
  openAnyway: boolean,
): AccessSettings {
  const wrong = ways.find((each) => !WAYS.some((way) => way === each));
  if (wrong !== undefined || ways.length === 0)
    throw new BadConfiguration(
      `--access is ${JSON.stringify(ways.join(','))}; it must be one or several of ${WAYS.join(', ')}`,
    );
  const settings = {
    ways: WAYS.filter((way) => ways.includes(way)),
    issuers: parseIssuers(issuers),
    openAnyway,
  };
  if (settings.ways.includes('oidc') !== settings.issuers.length > 0)
    throw new BadConfiguration('--access oidc and --issuers need each other');
  return settings;
}

function parseIssuers(text: string | undefined): readonly OpenIdIssuer[] {
  if (text === undefined || text === '') return [];
  const parsed = z.array(issuerSchema).safeParse(json(text));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const at = issue?.path.join('.') ?? '';
    throw new BadConfiguration(`--issuers: ${at}: ${issue?.message ?? 'is not understood'}`);
  }
  const names = parsed.data.map(({ issuer }) => issuer);
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice === undefined) return parsed.data;
  throw new BadConfiguration(`--issuers: ${twice} is there twice`);
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new BadConfiguration('--issuers must be JSON');
  }
}

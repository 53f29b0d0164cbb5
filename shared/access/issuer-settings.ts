import { z } from 'zod';

/**
 * Algorithms by which a token may be signed. All have a public key: with a shared one (HS256) who
 * can check could sign, and with a public key taken for a shared one everyone could.
 */
export const ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
] as const;
export type Algorithm = (typeof ALGORITHMS)[number];

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];
/** A URL of the configuration. */
export const address = z.string().refine(isSecure, {
  error: 'must be an https URL (http on loopback alone)',
});

/** An OpenID issuer whose tokens prove who calls, as the configuration names it. */
export const issuerSchema = z.strictObject({
  issuer: address,
  /** One or several; a token is for one of them. */
  audience: z.union([z.string().min(1), z.array(z.string().min(1)).min(1)]),
  algorithms: z.array(z.enum(ALGORITHMS)).min(1).default(['RS256', 'PS256', 'ES256', 'EdDSA']),
  /** Where its keys are. Default: as its discovery document says. */
  keys: address.optional(),
  /**
   * What names the owner. `subject`: `<issuer>#<sub>`. `email`: the verified address, as operators
   * and Google's accounts are named.
   */
  owner: z.enum(['subject', 'email']).default('subject'),
  /** The claim that names the caller's tenant. Default: there is one tenant. */
  tenant: z.string().min(1).optional(),
  /** A token must have this scope. */
  scope: z
    .string()
    .regex(/^[!#-[\]-~]+$/)
    .optional(),
});
export type OpenIdIssuer = z.output<typeof issuerSchema>;

function isSecure(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || url.username !== '' || url.password !== '') return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && LOOPBACK.includes(url.hostname));
}

import type { Remote, RemoteCredential } from '../domain/remote.ts';

export type Credential =
  | { readonly kind: 'none' }
  | {
      readonly kind: 'header';
      readonly origin: string;
      readonly name: string;
      readonly value: string;
    }
  /** One is declared, and its secret is not there. */
  | { readonly kind: 'missing' };

/** What proves who we are, as it is now; undefined for what is not there. */
export interface Secrets {
  /** The value of a secret by its name. */
  (name: string): Promise<string | undefined> | string | undefined;
  /** A token of our own service account, made out for that audience; absent where there is none. */
  identityToken?(audience: string): Promise<string | undefined>;
}

/**
 * What authorises us, and the one origin that it goes to: the declared one, or that of the card. A
 * card, being the remote's word, can't name another.
 */
export async function credentialOf(
  { card, credential }: Pick<Remote, 'card' | 'credential'>,
  secrets: Secrets,
): Promise<Credential> {
  if (credential === undefined) return { kind: 'none' };
  const origin = URL.parse(credential.origin ?? card)?.origin;
  const secret = origin && (await secretOf(credential, origin, secrets))?.trim();
  if (secret === undefined || secret === '' || origin === undefined) return { kind: 'missing' };
  if ('header' in credential)
    return { kind: 'header', origin, name: credential.header.toLowerCase(), value: secret };
  const scheme = 'scheme' in credential ? credential.scheme : 'Bearer';
  return { kind: 'header', origin, name: 'authorization', value: `${scheme} ${secret}` };
}

async function secretOf(
  credential: RemoteCredential,
  origin: string,
  secrets: Secrets,
): Promise<string | undefined> {
  if (!('google' in credential)) return secrets(credential.secret);
  return secrets.identityToken?.(credential.audience ?? origin);
}

/** Whether it can be there, as far as that is known without a call. */
export async function isDeclaredWell(
  remote: Pick<Remote, 'card' | 'credential'>,
  secrets: Secrets,
): Promise<boolean> {
  const { credential } = remote;
  if (credential !== undefined && 'google' in credential)
    return secrets.identityToken !== undefined;
  return (await credentialOf(remote, secrets)).kind !== 'missing';
}

/** What is missing, in words. */
export function missingWords(credential: RemoteCredential | undefined): string {
  if (credential !== undefined && 'google' in credential)
    return 'there is no service account of Google here, whose identity token the remote wants';
  return `the secret ${credential?.secret ?? ''} of the remote's \`credential\` is not set here`;
}

/** The header for a request to that URL, if it may have it. */
export function authorization(credential: Credential, url: URL): Readonly<Record<string, string>> {
  return credential.kind === 'header' && credential.origin === url.origin
    ? { [credential.name]: credential.value }
    : {};
}

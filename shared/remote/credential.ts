import type { Remote } from '../domain/remote.ts';

export type Credential =
  | { readonly kind: 'none' }
  | { readonly kind: 'header'; readonly origin: string; readonly value: string }
  /** One is declared, and its secret is not there. */
  | { readonly kind: 'missing' };

/** The value of a secret by its name, as it is now; undefined for one that is not there. */
export type Secrets = (name: string) => Promise<string | undefined> | string | undefined;

/**
 * What authorises us, and the one origin that it goes to: the declared one, or that of the card. A
 * card, being the remote's word, can't name another.
 */
export async function credentialOf(
  { card, credential }: Pick<Remote, 'card' | 'credential'>,
  secrets: Secrets,
): Promise<Credential> {
  if (credential === undefined) return { kind: 'none' };
  const secret = (await secrets(credential.secret))?.trim() ?? '';
  const origin = URL.parse(credential.origin ?? card)?.origin;
  if (secret === '' || origin === undefined) return { kind: 'missing' };
  return { kind: 'header', origin, value: `${credential.scheme} ${secret}` };
}

/** The header for a request to that URL, if it may have it. */
export function authorization(credential: Credential, url: URL): Readonly<Record<string, string>> {
  return credential.kind === 'header' && credential.origin === url.origin
    ? { authorization: credential.value }
    : {};
}

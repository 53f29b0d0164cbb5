import type { Remote } from '../domain/remote.ts';

export type Credential =
  | { readonly kind: 'none' }
  | { readonly kind: 'header'; readonly origin: string; readonly value: string }
  /** One is declared, and its secret is not there. */
  | { readonly kind: 'missing' };

/**
 * What authorises us, and the one origin that it goes to: the declared one, or that of the card. A
 * card, being the remote's word, can't name another.
 */
export function credentialOf(
  { card, credential }: Pick<Remote, 'card' | 'credential'>,
  secrets: (name: string) => string | undefined,
): Credential {
  if (credential === undefined) return { kind: 'none' };
  const secret = secrets(credential.secret)?.trim() ?? '';
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

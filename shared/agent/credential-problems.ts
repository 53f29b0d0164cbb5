import type { RemoteCredential } from '../domain/remote.ts';

// RFC 9110 section 5.6.2. Those that say how a request is read are no one's to set.
const HEADER = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/;
const OURS = /^(?:host|content-.*|transfer-encoding|connection|accept|a2a-.*|x-a2a-.*)$/i;

/** What is wrong with a credential, in words for the author; empty if nothing. */
export function credentialProblems(credential: RemoteCredential | undefined): readonly string[] {
  if (credential === undefined) return [];
  const given: Readonly<Record<string, unknown>> = { ...credential };
  const { audience, google, header, origin, scheme, secret } = given;
  const kinds = [scheme, header, google].filter((each) => each !== undefined);
  const problems: string[] = [];
  const wrong = (words: string): number => problems.push(words);
  if (kinds.length !== 1) wrong('credential needs one of scheme, header and google.');
  if (scheme !== undefined && !isWords(scheme)) wrong('credential.scheme must be a word.');
  if (
    header !== undefined &&
    (typeof header !== 'string' || !HEADER.test(header) || OURS.test(header))
  )
    wrong(
      'credential.header must be the name of a header, and none that says how to read a request.',
    );
  if (google === undefined && !isWords(secret)) wrong('credential needs the name of a secret.');
  if (google !== undefined && google !== true) wrong('credential.google must be true.');
  if (google !== undefined && secret !== undefined) wrong('credential.google takes no secret.');
  if (audience !== undefined && (google === undefined || !isWords(audience)))
    wrong('credential.audience goes with google.');
  if (origin !== undefined && !isWebAddress(origin))
    wrong('credential.origin must be an http or https URL.');
  return problems;
}

const isWords = (value: unknown): boolean => typeof value === 'string' && value.trim() !== '';

function isWebAddress(value: unknown): boolean {
  return typeof value === 'string' && /^https?:$/.test(URL.parse(value)?.protocol ?? '');
}

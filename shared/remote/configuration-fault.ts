import type { Remote } from '../domain/remote.ts';
import { allowedFor, type AllowPrivate } from '../outgoing/address-guard.ts';
import type { Called } from './called.ts';
import { isDeclaredWell, missingWords, type Secrets } from './credential.ts';
import { destinationOf } from '../outgoing/destination.ts';

const PRIVATE = 'allow its host by --remote-private (HOLDFAST_REMOTE_PRIVATE)';

/** Of a card that none of the pinned keys signed. */
export const NOT_SIGNED = 'card: not signed by a pinned key';

/**
 * What to set, by the reason of a call that came to nothing because of how the remote is declared
 * or the installation configured.
 */
const ADVICE: ReadonlyMap<string, (remote: Remote) => string> = new Map([
  ['bad url', () => "the remote's `card` is no URL of a host"],
  ['not https', () => `the remote's \`card\` must be https; for plain http ${PRIVATE}`],
  [
    'credentials in url',
    () => "the remote's `card` holds credentials; declare `credential` instead",
  ],
  [
    NOT_SIGNED,
    () =>
      "no key of the remote's `signedBy` signed its card; if it has a new key, pin that one, too, after you asked its operators",
  ],
  ['private address', () => `its address is no public one; if it is one of yours, ${PRIVATE}`],
  ['no credential', ({ credential }: Remote) => missingWords(credential)],
]);

/** Of a card whose interfaces we could speak to, were we allowed to. */
export const INTERFACES = `its agent card offers no interface by https at the one origin that its credential goes to (\`credential.origin\`); for plain http ${PRIVATE}, as <remote>=<host> where it is not the card's own`;

/**
 * The same outcome, with what is to be set right if that is what it takes: no second try mends it.
 */
export function withAdvice<T>(called: Called<T>, remote: Remote): Called<T> {
  if (called.kind !== 'not_sent') return called;
  const advice = ADVICE.get(called.failure.reason)?.(remote);
  return advice === undefined ? called : { ...called, failure: { ...called.failure, advice } };
}

/**
 * What is wrong with a declared remote as far as that can be known without a call; undefined if
 * nothing.
 */
export async function configurationFault(
  remote: Remote,
  allowPrivate: AllowPrivate,
  secrets: Secrets,
): Promise<string | undefined> {
  const destination = destinationOf(remote.card, allowedFor(remote, allowPrivate));
  const reason =
    destination.kind === 'bad'
      ? destination.reason
      : (await isDeclaredWell(remote, secrets))
        ? undefined
        : 'no credential';
  return reason && ADVICE.get(reason)?.(remote);
}

// Credentials of RFC 9110 section 11.4 in a header of any program's notation, and Bearer (RFC 6750)
// and Basic (RFC 7617) alone.
import { matching } from '../matching.ts';
import { looksRandom } from './randomness.ts';

const findHeaders = matching(
  'secret',
  /authorization\\?["']?\s{0,3}[:=,]\s{0,3}\\?["'`]?(?:(?:bearer|basic|token|apikey|key|digest)[ :]{1,3})?(?<value>[A-Za-z0-9._~+/-]{8,8192}={0,2})/dgi,
  ({ value }) => looksRandom(value) || isUserAndPassword(value),
);

const findBearers = matching(
  'secret',
  /(?<![A-Za-z0-9])bearer[ +]{1,3}(?<value>[A-Za-z0-9._~+/-]{16,8192}={0,2})/dgi,
  ({ value }) => looksRandom(value),
);

const findBasics = matching(
  'secret',
  /(?<![A-Za-z0-9])basic {1,3}(?<value>[A-Za-z0-9+/]{8,512}={0,2})/dgi,
  ({ value }) => isUserAndPassword(value),
);

export const findAuthorization = (text: string) => [
  ...findHeaders(text),
  ...findBearers(text),
  ...findBasics(text),
];

/** base64 of "user:password", in printable characters. */
function isUserAndPassword(value: string): boolean {
  try {
    return /^[\x20-\x39\x3b-\x7e]{0,128}:[\x20-\x7e]{1,256}$/.test(atob(value));
  } catch {
    return false;
  }
}

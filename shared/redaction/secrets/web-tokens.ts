// JSON Web Tokens in compact form: RFC 7515 section 7.1 (signed, three parts) and RFC 7516 section
// 7.1 (encrypted, five).
import { tokens } from './tokens.ts';

export const findWebTokens = tokens([
  {
    prefix: 'eyJ',
    rest: /[A-Za-z0-9_-]{8,4096}(?:\.[A-Za-z0-9_-]{0,16384}){2,4}/y,
    word: true,
    accept: (token) => hasHeader(token),
  },
]);

/** The first part is an object that names its algorithm. */
function hasHeader(token: string): boolean {
  const [header = ''] = token.split('.', 1);
  try {
    return atob(header.replace(/-/g, '+').replace(/_/g, '/')).includes('"alg"');
  } catch {
    return false;
  }
}

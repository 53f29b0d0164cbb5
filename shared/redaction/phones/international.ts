// ITU-T E.164 and E.123: a plus (or the prefix 00), the country's calling code, at most 15 digits
// in groups. "(0)" is the trunk prefix that is not dialled from abroad.
import type { Finding } from '../finding.ts';
import type { CallingCodes } from './calling-codes.ts';
import { withoutLastGroup } from './groups.ts';

const NUMBER =
  /(?<![A-Za-z0-9+]|\d[.,-])(?:(?:[+＋]|%2B)[ \u00a0]?|(?<!\d )00[ \u00a0]?)\(?[1-9](?:\)?[ \u00a0.\-\u2010-\u2013/]{0,3}\(?\d){6,15}(?![A-Za-z0-9])/g;
const LEAST_DIGITS = 8;

export function findInternational(text: string, codes: CallingCodes): readonly Finding[] {
  const findings: Finding[] = [];
  for (const { 0: candidate, index } of text.matchAll(NUMBER)) {
    // The match may have gone on into a year or a price: the longest that a country has, at a
    // group's end.
    for (let number = candidate; number !== ''; number = withoutLastGroup(number)) {
      if (!isPossible(number, codes)) continue;
      findings.push({ kind: 'phone', start: index, end: index + number.length });
      break;
    }
  }
  return findings;
}

function isPossible(number: string, codes: CallingCodes): boolean {
  const digits = number
    .replace(/^(?:[+＋]|%2B|00)/, '')
    .replace('(0)', '')
    .replace(/\D/g, '');
  if (digits.length < LEAST_DIGITS) return false;
  return [1, 2, 3].some(
    (length) => codes.get(digits.slice(0, length))?.has(digits.length - length) === true,
  );
}

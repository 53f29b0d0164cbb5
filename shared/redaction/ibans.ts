// ISO 13616: two letters of the country, two check digits by ISO 7064 mod 97-10, and the account,
// as long as the country has it. Own code: ibantools 4.5 validates a string that is already an
// IBAN, and its table lacks four countries of the registry.
import type { Finding } from './finding.ts';
import { IBAN_LENGTHS } from './iban-lengths.ts';

const START = /(?<![A-Za-z0-9])[A-Za-z]{2}\d{2}/g;
const SEPARATOR = /[ \u00a0\u202f-]/;

export function findIbans(text: string): readonly Finding[] {
  const findings: Finding[] = [];
  for (const { 0: head, index } of text.matchAll(START)) {
    const length = IBAN_LENGTHS.get(head.slice(0, 2).toUpperCase());
    if (length === undefined) continue;
    const end = endAfter(text, index, length);
    if (end === undefined) continue;
    const compact = text.slice(index, end).replace(/[^A-Za-z0-9]/g, '');
    if (hasCheckDigits(compact)) findings.push({ kind: 'iban', start: index, end });
  }
  return findings;
}

/**
 * Where so many letters and digits end, with at most one separator between two of them, if no more
 * follow.
 */
function endAfter(text: string, start: number, length: number): number | undefined {
  let at = start;
  for (let seen = 0; seen < length; at += 1) {
    const next = text.charAt(at);
    if (/[A-Za-z0-9]/.test(next)) seen += 1;
    else if (!SEPARATOR.test(next) || SEPARATOR.test(text.charAt(at - 1))) return undefined;
  }
  return /[A-Za-z0-9]/.test(text.charAt(at)) ? undefined : at;
}

function hasCheckDigits(iban: string): boolean {
  let rest = 0;
  for (const character of iban.slice(4) + iban.slice(0, 4)) {
    const value = Number.parseInt(character, 36);
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97;
  }
  return rest === 1;
}

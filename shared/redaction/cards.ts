// ISO/IEC 7812-1: 12 to 19 digits, the issuer's first, a Luhn check digit (annex B) last. Issuers'
// ranges and lengths as in
// https://en.wikipedia.org/wiki/Payment_card_number#Issuer_identification_number_(IIN).
import type { Finding } from './finding.ts';
import { matching } from './matching.ts';

// Together, in fours (19 digits end with three), or as American Express and Diners print them.
const NUMBERS = [
  String.raw`\d{12,19}`,
  String.raw`\d{4}(?<by>[ \u00a0-])\d{4}\k<by>\d{4}\k<by>\d{4}`,
  String.raw`\d{4}(?<by>[ \u00a0-])\d{4}\k<by>\d{4}\k<by>\d{4}\k<by>\d{3}`,
  String.raw`\d{4}(?<by>[ \u00a0-])\d{6}\k<by>\d{4,5}`,
];
// A digit behind a point makes it a part of another number.
const alone = (number: string): RegExp =>
  new RegExp(String.raw`(?<![A-Za-z0-9+]|\d[.,-])(?:${number})(?![A-Za-z0-9]|[.,-]\d)`, 'g');

interface Issuer {
  readonly prefix: RegExp;
  readonly lengths: readonly number[];
}

const ISSUERS: readonly Issuer[] = [
  { prefix: /^4/, lengths: [13, 16, 19] },
  { prefix: /^(?:5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/, lengths: [16] },
  { prefix: /^3[47]/, lengths: [15] },
  { prefix: /^(?:30[0-5]|3095|36|3[89])/, lengths: [14, 16, 19] },
  { prefix: /^(?:6011|64[4-9]|65)/, lengths: [16, 19] },
  { prefix: /^35(?:2[89]|[3-8])/, lengths: [16, 19] },
  { prefix: /^62/, lengths: [16, 17, 18, 19] },
  { prefix: /^(?:5018|5020|5038|5893|6304|6759|676[1-3])/, lengths: [12, 13, 14, 15, 16, 18, 19] },
  { prefix: /^220[0-4]/, lengths: [16] },
];

const finders = NUMBERS.map((number) =>
  matching('card', alone(number), ({ value }) => isCard(value.replace(/\D/g, ''))),
);

export function findCards(text: string): readonly Finding[] {
  return finders.flatMap((find) => find(text));
}

function isCard(digits: string): boolean {
  const issued = ISSUERS.some(
    ({ prefix, lengths }) => lengths.includes(digits.length) && prefix.test(digits),
  );
  return issued && hasLuhnDigit(digits);
}

function hasLuhnDigit(digits: string): boolean {
  let sum = 0;
  for (let place = 0; place < digits.length; place += 1) {
    const digit = Number(digits.at(-1 - place));
    const doubled = digit * 2;
    if (place % 2 === 0) sum += digit;
    else sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

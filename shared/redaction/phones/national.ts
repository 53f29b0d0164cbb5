// Numbers as they are written within a country (ITU-T E.123, national notation), where the groups
// alone tell them from others: North America (NANP), the trunk prefix 0 of most of Europe,
// Australia and Japan, France's pairs, Russia's 8, Brazil.
import type { Finding } from '../finding.ts';
import { lineBefore, matching } from '../matching.ts';
import { withoutLastGroup } from './groups.ts';

const BEFORE = String.raw`(?<![A-Za-z0-9_+%(/-]|\d[.,:/-])`;
const AFTER = String.raw`(?![A-Za-z0-9_]|[.,:/-]\d)`;
const SPACE = String.raw`[ \u00a0\u202f]`;
const LONGEST = 24;

const shape = (pattern: string): RegExp => new RegExp(`${BEFORE}(?:${pattern})${AFTER}`, 'g');

const NORTH_AMERICA = shape(
  String.raw`(?:1[-. ])?(?:\([2-9]\d\d\) ?|[2-9]\d\d(?<by>[-.]))[2-9]\d\d(?:\k<by>|[-.])\d{4}`,
);
// Groups of digits one behind the other, which may be more than one number.
const TRUNK = shape(
  String.raw`(?<!\d${SPACE})\(?0[1-9]\d{0,4}\)?(?:${SPACE}?[-/]${SPACE}?|${SPACE})\d{2,8}(?:(?:${SPACE}|-)\(?\d{2,8}\)?)*`,
);
const FRANCE = shape(String.raw`0[1-9](?:\.\d\d){4}`);
const RUSSIA = shape(String.raw`8 ?\(\d{3,5}\) ?\d{1,3}-\d\d-\d\d`);
const BRAZIL = shape(String.raw`\([1-9]\d\) ?9?\d{4}-\d{4}`);

// What else is numbered like that, in the words before it.
const OTHER_NUMBER =
  /(?:order|invoice|ticket|isbn|issn|tracking|parcel|serial|account|part|item|version|case|bestell\p{L}*|rechnung\p{L}*|paket\p{L}*|kunden\p{L}*|konto\p{L}*|vertrag\p{L}*|steuer\p{L}*|aktenzeichen|commande|facture|pedido|factura|ordine|fattura|zamówieni\p{L}*|заказ\p{L}*|订单号?|注文番号|sku|ref|id|nr|no|№|#)[ \u00a0]?(?:number|nr|no|id|n°|№|#)?[.:=#°]*[ \u00a0]?(?:\p{L}{1,3}[ \u00a0-])?\(?$/iu;

const isOfSomethingElse = (text: string, start: number): boolean =>
  OTHER_NUMBER.test(lineBefore(text, start, 32));

const finders = [NORTH_AMERICA, FRANCE, RUSSIA, BRAZIL].map((pattern) =>
  matching('phone', pattern, ({ text, start }) => !isOfSomethingElse(text, start)),
);

export function findNational(text: string): readonly Finding[] {
  return [...finders.flatMap((find) => find(text)), ...findTrunk(text)];
}

function findTrunk(text: string): readonly Finding[] {
  const findings: Finding[] = [];
  for (const { 0: run, index } of text.matchAll(TRUNK)) {
    if (isOfSomethingElse(text, index)) continue;
    for (let start = index; ; ) {
      const number = firstNumber(text, start, index + run.length);
      if (number === undefined) break;
      findings.push({ kind: 'phone', start, end: start + number.length });
      start += number.length;
      const gap = /^[ \u00a0\u202f](?=\(?0[1-9])/.exec(text.slice(start, start + 4));
      if (gap === null) break;
      start += gap[0].length;
    }
  }
  return findings;
}

/**
 * The longest that ends with a group and has as many digits as numbers with a trunk prefix have.
 */
function firstNumber(text: string, start: number, end: number): string | undefined {
  let number = text.slice(start, Math.min(end, start + LONGEST));
  if (start + LONGEST < end) number = withoutLastGroup(number);
  for (; number !== ''; number = withoutLastGroup(number)) {
    const digits = number.replace(/\D/g, '').length;
    if (digits < 9) return undefined;
    if (digits <= 12 && !isNoPhone(number) && !isBytes(number, text, start)) return number;
  }
  return undefined;
}

/** A dump of bytes, which goes on in pairs; France's numbers have five. */
function isBytes(value: string, text: string, start: number): boolean {
  if (!/^\d\d(?:[ -]\d\d)+$/.test(value)) return false;
  const pair = /^[ -][0-9a-f]{2}(?![0-9a-z])/i;
  return (
    value.length !== 14 || pair.test(text.slice(start + value.length, start + value.length + 4))
  );
}

/**
 * A date, or a number in three equal groups, as no country writes its phones but many do their
 * articles.
 */
function isNoPhone(value: string): boolean {
  return /^\d\d[-/ ]\d\d[-/ ]\d{4}|^\d{4}-\d{4}-\d{4}$/.test(value);
}

// addr-spec of RFC 5322 (section 3.4.1) as people use it: dot-atoms without quoted strings, with
// the letters of RFC 6531. Found from each at sign outwards, within the lengths of RFC 5321
// (section 4.5.3.1), so it takes linear time.
import type { Finding } from './finding.ts';

// %40 is the sign in the query of a URL.
const SIGN = /[@＠]|%40/g;
const LOCAL = /[\p{L}\p{M}\p{N}._%+'&~-]/u;
const DOMAIN = /[\p{L}\p{M}\p{N}.-]/u;
const TOP_LEVEL = /^(?:xn--[a-z0-9-]{2,59}|[\p{L}\p{M}]{2,63})$/iu;
// Scripts without spaces between words, where the sentence goes on right beside the address.
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;
const SPACED = /[^\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;
const MAX_LOCAL = 64;
const MAX_DOMAIN = 253;
const MAX_USER_INFO = 256;

export function findEmails(text: string): readonly Finding[] {
  const findings: Finding[] = [];
  // What stands before an earlier sign or address is none of this one's.
  let free = 0;
  for (const { index, 0: sign } of text.matchAll(SIGN)) {
    const start = startOfLocal(text, index, free);
    const domain = index + sign.length;
    free = domain;
    const end = start === undefined ? undefined : endOfDomain(text, domain);
    if (start === undefined || end === undefined) continue;
    if (isNoAddress(text, start, index, end)) continue;
    findings.push({ kind: 'email', start, end });
    free = end;
  }
  return findings;
}

function startOfLocal(text: string, sign: number, free: number): number | undefined {
  const first = Math.max(free, sign - MAX_LOCAL);
  if (first === sign || !LOCAL.test(text.charAt(sign - 1))) return undefined;
  const unspaced = UNSPACED.test(text.charAt(sign - 1));
  let start = sign;
  while (start > first) {
    const next = text.charAt(start - 1);
    if (!LOCAL.test(next) || UNSPACED.test(next) !== unspaced) break;
    start -= 1;
  }
  const encoded = /.*%(?:2[026CF]|3[A-F])/is.exec(text.slice(start, sign));
  start += encoded?.[0].length ?? 0;
  while (start < sign && /[.%+'&~-]/.test(text.charAt(start))) start += 1;
  return start < sign && text.charAt(sign - 1) !== '.' ? start : undefined;
}

function endOfDomain(text: string, start: number): number | undefined {
  const last = Math.min(text.length, start + MAX_DOMAIN);
  let end = start;
  while (end < last && DOMAIN.test(text.charAt(end))) end += 1;
  const labels = text.slice(start, end).split('.');
  const empty = labels.indexOf('');
  if (empty >= 0) labels.length = empty;
  // A file's or version's name goes on with digits; the address may end before.
  for (; labels.length > 1; labels.pop()) {
    const top = withoutSentence(labels.at(-1) ?? '', labels.at(-2) ?? '');
    if (!TOP_LEVEL.test(top)) continue;
    return start + [...labels.slice(0, -1), top].join('.').length;
  }
  return undefined;
}

function withoutSentence(label: string, before: string): string {
  const trimmed = label.replace(/-+$/, '');
  const other = trimmed.search(UNSPACED.test(before) ? SPACED : UNSPACED);
  return other > 0 ? trimmed.slice(0, other) : trimmed;
}

function isNoAddress(text: string, start: number, sign: number, end: number): boolean {
  const before = text.charAt(start - 1);
  // @user@server is a name in the fediverse, git@server a place of code, @2x.png a picture,
  // @1.2.3-rc.a a version.
  if (before === '@' || text.slice(start, sign) === 'git') return true;
  if (/^(?:\d+x\.|\d+\.\d)/.test(text.slice(sign + 1, end))) return true;
  if (text.charAt(end) === '(') return true;
  // The user of a URL; its password is another finder's.
  return /:\/\/[^\s/?#=&"'<>@]*$/.test(text.slice(Math.max(0, start - MAX_USER_INFO), start));
}

// A secret without a shape of its own, behind its name and a sign: `password=`, `"api_key": "`, `Secret :=`.
import type { Finding } from '../finding.ts';
import type { Match } from '../matching.ts';
import { KEY_NAMES, PASSWORD_NAMES } from './names.ts';
import { BARE, isBarePassword, isKey, isQuotedPassword } from './values.ts';

// Behind the name: its closing quote, which may be escaped as in JSON within JSON, and the sign.
const NAME = new RegExp(
  String.raw`(?:(?<password>${PASSWORD_NAMES})|${KEY_NAMES})\\?["']?\]?\s{0,4}(?:=>|:=|[:=：])\s{0,4}`,
  'gi',
);
const QUOTED = [
  /"(?<value>(?:[^"\\\n]|\\[^\n]){1,4096})"/dy,
  /'(?<value>[^'\n]{1,4096})'/dy,
  /`(?<value>[^`\n]{1,4096})`/dy,
  /\\"(?<value>[^"\\\n]{1,4096})\\"/dy,
];
// Also behind a quote that never closes: the text may have been cut off.
const UNQUOTED = new RegExp(`["'\x60]?${BARE}`, 'dy');

export function findAssignments(text: string): readonly Finding[] {
  const findings: Finding[] = [];
  for (const found of text.matchAll(NAME)) {
    const place = found.index + found[0].length;
    const isPassword = found.groups?.['password'] !== undefined;
    const [quoted] = QUOTED.flatMap((pattern) => valueAt(text, place, pattern) ?? []);
    const bare = quoted === undefined ? valueAt(text, place, UNQUOTED) : undefined;
    const match = quoted ?? bare;
    if (match === undefined) continue;
    const accept = quoted === undefined ? isBarePassword : isQuotedPassword;
    if ((isPassword ? accept : isKey)(match)) {
      findings.push({ kind: 'secret', start: match.start, end: match.end });
    }
  }
  return findings;
}

function valueAt(text: string, place: number, pattern: RegExp): Match | undefined {
  pattern.lastIndex = place;
  const [start, end] = pattern.exec(text)?.indices?.groups?.['value'] ?? [];
  if (start === undefined || end === undefined) return undefined;
  return { value: text.slice(start, end), start, end, text };
}

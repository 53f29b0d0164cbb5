// A secret without a shape of its own, behind its name and a sign: `password=`, `"api_key": "`,
// `Secret :=`.
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

// Names within a value that was none: `token=password=…`. More of them are a text that is made to
// take long.
const NAMES_WITHIN = 4;

export function findAssignments(text: string): readonly Finding[] {
  const findings: Finding[] = [];
  let done = 0;
  let refused = { end: 0, names: 0 };
  for (const found of text.matchAll(NAME)) {
    if (found.index < done) continue;
    const isPassword = found.groups?.['password'] !== undefined;
    const match = secretAt(text, found.index + found[0].length, isPassword);
    if (match === undefined) continue;
    const { start, end, accepted } = match;
    if (accepted) findings.push({ kind: 'secret', start, end });
    refused = { end, names: found.index < refused.end ? refused.names + 1 : 0 };
    if (accepted || refused.names === NAMES_WITHIN) done = end;
  }
  return findings;
}

function secretAt(text: string, place: number, isPassword: boolean) {
  const [quoted] = QUOTED.flatMap((pattern) => valueAt(text, place, pattern) ?? []);
  const match = quoted ?? valueAt(text, place, UNQUOTED);
  if (match === undefined) return undefined;
  const accept = quoted === undefined ? isBarePassword : isQuotedPassword;
  return { ...match, accepted: (isPassword ? accept : isKey)(match) };
}

function valueAt(text: string, place: number, pattern: RegExp): Match | undefined {
  pattern.lastIndex = place;
  const [start, end] = pattern.exec(text)?.indices?.groups?.['value'] ?? [];
  if (start === undefined || end === undefined) return undefined;
  return { value: text.slice(start, end), start, end, text };
}

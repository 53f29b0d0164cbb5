// Textual encodings of private keys: RFC 7468 sections 10 and 11, the older ones of OpenSSL and
// OpenSSH, OpenPGP's armor (RFC 9580 section 6.2). One that was cut off ends with its last line of
// base64.
import type { Finding } from '../finding.ts';

const BEGIN = '-----BEGIN ';
const FIRST_LINE = /-----BEGIN (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----/y;
const LAST_LINE = /-----END (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----/g;
const BASE64_LINES = /(?:(?:[ \t\r\n]|\\[nr])+[A-Za-z0-9+/]+={0,2}(?=[\r\n"'\\]|$))*/y;
const LONGEST = 16_384;

export function findPrivateKeys(text: string): readonly Finding[] {
  const findings: Finding[] = [];
  let from = 0;
  for (;;) {
    const start = text.indexOf(BEGIN, from);
    if (start < 0) return findings;
    FIRST_LINE.lastIndex = start;
    const first = FIRST_LINE.exec(text)?.[0].length;
    from = start + (first ?? BEGIN.length);
    if (first === undefined) continue;
    const end = endOf(text, from);
    if (end > from) findings.push({ kind: 'secret', start, end });
    from = end;
  }
}

function endOf(text: string, start: number): number {
  const window = text.slice(start, start + LONGEST);
  const next = window.indexOf(BEGIN);
  const body = next < 0 ? window : window.slice(0, next);
  LAST_LINE.lastIndex = 0;
  const last = LAST_LINE.exec(body);
  if (last !== null) return start + last.index + last[0].length;
  BASE64_LINES.lastIndex = 0;
  return start + (BASE64_LINES.exec(body)?.[0].length ?? 0);
}

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Finding, Kind } from '../../shared/redaction/finding.ts';

/** A text of the labelled file, and what must be found in it. */
export interface Labelled {
  readonly line: number;
  readonly text: string;
  readonly findings: readonly Finding[];
}

const fixture = (name: string) => join(import.meta.dirname, '../fixtures/redaction', name);

/** Written before the code. */
export const LABELLED = fixture('labelled.tsv');
/** Written after it. */
export const LATER = fixture('later.tsv');
const MARK = /⟦(email|phone|iban|card|secret):([^⟧]*)⟧/gu;
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', '\\': '\\' };

/** The first lines of labelled.tsv say how marks and escapes are written. */
export function readLabelled(file: string): readonly Labelled[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .map((raw, index) => ({ raw, line: index + 1 }))
    .filter(({ raw }) => raw !== '' && !raw.startsWith('# '))
    .map(({ raw, line }) => ({ line, ...parse(raw) }));
}

function parse(raw: string): Pick<Labelled, 'text' | 'findings'> {
  const findings: Finding[] = [];
  let text = '';
  let done = 0;
  for (const match of raw.matchAll(MARK)) {
    text += plain(raw.slice(done, match.index));
    const start = text.length;
    text += plain(match[2] ?? '');
    findings.push({ kind: match[1] as Kind, start, end: text.length });
    done = match.index + match[0].length;
  }
  return { text: text + plain(raw.slice(done)), findings };
}

function plain(raw: string): string {
  return raw
    .replaceAll('¦', '')
    .replace(/\\([nt\\])/g, (_, letter: string) => ESCAPES[letter] ?? letter);
}

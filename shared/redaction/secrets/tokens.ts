import type { Finder, Finding } from '../finding.ts';

/** A service's own shape of a token: how it begins, and what follows (a sticky pattern). */
export interface TokenShape {
  readonly prefix: string;
  readonly rest: RegExp;
  /**
   * A prefix that is short enough to be a part of words: only where no letter or digit stands
   * before it.
   */
  readonly word?: boolean;
  readonly accept?: (token: string, text: string, start: number) => boolean;
}

/** Finds tokens by their prefixes; a place that is none costs one comparison. */
export function tokens(shapes: readonly TokenShape[]): Finder {
  return (text) => shapes.flatMap((shape) => tokensOf(text, shape));
}

function tokensOf(text: string, { prefix, rest, word, accept }: TokenShape): Finding[] {
  const findings: Finding[] = [];
  let from = 0;
  for (;;) {
    const start = text.indexOf(prefix, from);
    if (start < 0) return findings;
    from = start + prefix.length;
    if (word === true && !startsWord(text, start)) continue;
    rest.lastIndex = from;
    const length = rest.exec(text)?.[0].length;
    if (length === undefined) continue;
    const end = from + length;
    if (accept?.(text.slice(start, end), text, start) === false) continue;
    findings.push({ kind: 'secret', start, end });
    from = end;
  }
}

/** No letter, digit, - or _ stands before it, or only as the end of an escaped \n, \r or \t. */
function startsWord(text: string, start: number): boolean {
  if (!/[A-Za-z0-9_-]/.test(text.charAt(start - 1))) return true;
  return /^\\[nrt]$/.test(text.slice(Math.max(0, start - 2), start));
}

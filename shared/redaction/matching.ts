import type { Finder, Finding, Kind } from './finding.ts';

/** One match: its value, and where the value stands. */
export interface Match {
  readonly value: string;
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/**
 * Finds what a pattern matches; of a pattern (flags `dg`) with a group `value`, only that group.
 */
export function matching(
  kind: Kind,
  pattern: RegExp,
  accept: (match: Match) => boolean = () => true,
): Finder {
  return (text) => {
    const findings: Finding[] = [];
    for (const found of text.matchAll(pattern)) {
      const [start, end] = found.indices?.groups?.['value'] ?? [
        found.index,
        found.index + found[0].length,
      ];
      const match = { value: text.slice(start, end), start, end, text };
      if (accept(match)) findings.push({ kind, start, end });
    }
    return findings;
  };
}

/** The line before a place, at most so many characters of it. */
export function lineBefore(text: string, place: number, length: number): string {
  const before = text.slice(Math.max(0, place - length), place);
  return before.slice(before.lastIndexOf('\n') + 1);
}

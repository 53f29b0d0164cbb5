import type { Finding } from './finding.ts';

/**
 * Findings that overlap become one, so that no end of the shorter one stays behind; the longest,
 * then the earliest, names it.
 */
export function mergeFindings(findings: readonly Finding[]): readonly Finding[] {
  const sorted = [...findings].sort((a, b) => a.start - b.start || b.end - a.end);
  const merged: Finding[] = [];
  let longest = 0;
  for (const next of sorted) {
    const last = merged.at(-1);
    const length = next.end - next.start;
    if (last === undefined || next.start >= last.end) {
      merged.push(next);
      longest = length;
      continue;
    }
    const kind = length > longest ? next.kind : last.kind;
    longest = Math.max(longest, length);
    merged[merged.length - 1] = { kind, start: last.start, end: Math.max(last.end, next.end) };
  }
  return merged;
}

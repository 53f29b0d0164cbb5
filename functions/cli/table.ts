/**
 * Rows under their headings, in columns as wide as their widest cell; the last column is as wide as
 * it likes.
 */
export function table(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [headings, ...rows];
  const widths = headings.map((_, at) => Math.max(...all.map((row) => (row[at] ?? '').length)));
  return all
    .map((row) =>
      row
        .map((cell, at) => (at === row.length - 1 ? cell : cell.padEnd(widths[at] ?? 0)))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** Names and values, one a line. Those without a value are left out. */
export function facts(pairs: readonly (readonly [string, string | undefined])[]): string {
  const there = pairs.filter((pair): pair is readonly [string, string] => pair[1] !== undefined);
  const width = Math.max(...there.map(([name]) => name.length));
  return there.map(([name, value]) => `${name.padEnd(width)}  ${value}`).join('\n');
}

// Line breaks and tabs may stay. Cc: control characters; Cf: those that turn the direction of text,
// and others.
const UNSEEN = /(?![\n\t])[\p{Cc}\p{Cf}]/gu;

/** What others wrote: no control characters, which could rewrite a terminal. */
export function plain(text: string): string {
  return text.replaceAll(UNSEEN, '\ufffd');
}

export function indented(text: string): string {
  return text.replaceAll(/^/gm, '  ');
}

/** JSON of what others wrote, as short as it can be read. */
export const asJson = (value: unknown): string => plain(JSON.stringify(value, undefined, 2));

/** `2h 5m`, `3.2s`, `12ms`. */
export function spanOf(milliseconds: number): string {
  if (milliseconds < 1_000) return `${Math.max(0, Math.round(milliseconds))}ms`;
  const seconds = milliseconds / 1_000;
  if (seconds < 60) return `${seconds.toFixed(1)}s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}m ${Math.floor(seconds % 60)}s`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours}h ${minutes % 60}m` : `${Math.floor(hours / 24)}d ${hours % 24}h`;
}

/** In UTC, as everything else that is logged. */
export const timeOf = (milliseconds: number): string => new Date(milliseconds).toISOString();

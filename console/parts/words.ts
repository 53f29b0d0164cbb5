/** Numbers and spans in the words of the page. */

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** `850 ms`, `3.2 s`, `4 min 10 s`, `2 h 5 min`, `3 d 4 h`. */
export function spanWords(milliseconds: number): string {
  const span = Math.max(0, milliseconds);
  if (span < SECOND) return `${Math.round(span)} ms`;
  if (span < 10 * SECOND) return `${(span / SECOND).toFixed(1)} s`;
  if (span < MINUTE) return `${Math.round(span / SECOND)} s`;
  if (span < HOUR) return two(span, MINUTE, 'min', SECOND, 's');
  if (span < DAY) return two(span, HOUR, 'h', MINUTE, 'min');
  return two(span, DAY, 'd', HOUR, 'h');
}

function two(span: number, unit: number, name: string, below: number, nameBelow: string): string {
  const [whole, rest] = [Math.floor(span / unit), Math.floor((span % unit) / below)];
  return rest === 0 ? `${whole} ${name}` : `${whole} ${name} ${rest} ${nameBelow}`;
}

/** `just now`, `3 min ago`: rough, because it ages. */
export function agoWords(milliseconds: number): string {
  if (milliseconds < 2 * SECOND) return 'just now';
  if (milliseconds < MINUTE) return `${Math.floor(milliseconds / SECOND)} s ago`;
  if (milliseconds < HOUR) return `${Math.floor(milliseconds / MINUTE)} min ago`;
  if (milliseconds < DAY) return `${Math.floor(milliseconds / HOUR)} h ago`;
  return `${Math.floor(milliseconds / DAY)} d ago`;
}

/** 12,345. */
export const numberWords = (value: number): string => value.toLocaleString('en');

/** `waiting_for_approval` as people read it. */
export const statusWords = (status: string): string => status.replaceAll('_', ' ');

/** One of `one`, or several of `many`. */
export const countWords = (count: number, one: string, many = `${one}s`): string =>
  `${numberWords(count)} ${count === 1 ? one : many}`;

// Cc: control characters. Cf: those that turn the direction of text, and others. Zl, Zp: separators
// of lines.
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;
const UNSEEN_IN_JSON = /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/**
 * What others wrote, in one line: no control characters, which could rewrite a terminal, and no
 * breaks, which could pass for a line of ours.
 */
export function plain(text: string): string {
  return text.replaceAll(UNSEEN, '\ufffd');
}

/** JSON of what others wrote, as short as it can be read. */
export const asJson = (value: unknown): string => escaped(JSON.stringify(value, undefined, 2));

/** JSON in one line, for programs; a terminal that it is shown on takes it for nothing but text. */
export const jsonLine = (value: unknown): string => escaped(JSON.stringify(value));

/** The same JSON, whose strings have no character in clear that is not seen. */
function escaped(json: string): string {
  return json.replaceAll(UNSEEN_IN_JSON, (found) =>
    Array.from(
      { length: found.length },
      (_, at) => `\\u${found.charCodeAt(at).toString(16).padStart(4, '0')}`,
    ).join(''),
  );
}

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

/** Millionths of a currency in the currency: `0.0042`. */
export const moneyOf = (millionths: number): string => {
  const [whole = '0', rest = ''] = (millionths / 1e6).toFixed(6).split('.');
  return `${whole}.${rest.replace(/0+$/, '').padEnd(2, '0')}`;
};

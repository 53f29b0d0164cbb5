/** Bytes of UTF-8 that count as one token: rather too few, so that no estimate is too low. */
const BYTES = 3;

/**
 * About how many tokens a text is. No model's own count: English has some four bytes a token, other
 * languages and JSON fewer.
 */
export const tokensIn = (text: string): number => Math.ceil(Buffer.byteLength(text) / BYTES);

/** The beginning of a text, and how much is missing. */
export function shortened(text: string, most: number): string {
  if (text.length <= most) return text;
  // Not between the halves of a character.
  const kept = text.slice(0, most).replace(/[\uD800-\uDBFF]$/, '');
  return `${kept} [… ${text.length - kept.length} more characters]`;
}

/** The beginning of a text that is about so many tokens. */
export function within(text: string, tokens: number): string {
  if (tokensIn(text) <= tokens) return text;
  const kept = Buffer.from(text)
    .subarray(0, Math.max(0, Math.floor(tokens)) * BYTES)
    .toString('utf8');
  // What half of a character became, if the end is in one.
  return shortened(text, kept.replace(/\uFFFD+$/, '').length);
}

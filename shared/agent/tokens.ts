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

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const ARRAY = 0x5b;
const OBJECT = 0x7b;

/**
 * How many values a JSON text holds at most, counted without making them: an array of empty arrays
 * takes thirty times its text in memory. Never fewer than there are.
 */
export function countValues(text: Uint8Array): number {
  let values = 1;
  for (let at = 0; at < text.length; at += 1) {
    const byte = text[at];
    if (byte === QUOTE) at = endOfString(text, at + 1);
    else if (byte === COMMA || byte === ARRAY || byte === OBJECT) values += 1;
  }
  return values;
}

/** Where the string ends whose first byte this is. */
function endOfString(text: Uint8Array, from: number): number {
  let quote = text.indexOf(QUOTE, from);
  while (quote >= 0 && isEscaped(text, quote, from)) quote = text.indexOf(QUOTE, quote + 1);
  return quote < 0 ? text.length : quote;
}

/** Behind an odd number of backslashes. */
function isEscaped(text: Uint8Array, at: number, from: number): boolean {
  let before = at - 1;
  while (before >= from && text[before] === BACKSLASH) before -= 1;
  return (at - 1 - before) % 2 === 1;
}

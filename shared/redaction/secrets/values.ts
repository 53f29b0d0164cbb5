import type { Match } from '../matching.ts';
import { isPlaceholder } from './placeholders.ts';
import { looksRandom } from './randomness.ts';

/**
 * Of a pattern: a value without quotes. An ampersand ends it only where the next name of a query
 * follows.
 */
export const BARE = String.raw`(?<value>(?:[^\s"'\x60,;&<>(){}[\]|\\]|&(?![\w.-]+=)){1,4096}(?<![.:]))`;

export const isQuotedPassword = ({ value }: Match): boolean =>
  value.length >= 4 && !isPlaceholder(value);

/** Drawn or chosen, and no word of a sentence, path, number of characters, variable or call. */
export function isBarePassword(match: Match): boolean {
  const { value, text, start, end } = match;
  if (value.length < 4 || isPlaceholder(value) || isCall(text, end)) return false;
  if (/^[./~]|(?:password|passwd|pwd|pass)$/i.test(value)) return false;
  // Sentences have a space or a colon here, not an equals sign alone.
  return isAssigned(text, start) || isChosen(value);
}

export const isSpokenPassword = (match: Match): boolean =>
  isBarePassword(match) && isChosen(match.value) && /[A-Za-z]/.test(match.value);

export const isKey = ({ value, text, end }: Match): boolean =>
  looksRandom(value, 12) && !isPlaceholder(value) && !isCall(text, end);

const isCall = (text: string, end: number): boolean => /[([]/.test(text.charAt(end));

const isAssigned = (text: string, start: number): boolean =>
  /\S=$/.test(text.slice(Math.max(0, start - 2), start));

/** Of more kinds of characters than a word is. */
function isChosen(value: string): boolean {
  if (value.length < 6) return false;
  return /\d/.test(value) || (/[a-z]/.test(value) && /[A-Z]/.test(value) && /[^\w.-]/.test(value));
}

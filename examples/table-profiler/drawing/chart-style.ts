import { clipped } from '../wording.ts';

/** Colours with a contrast of at least 4.5 to 1 on white for text, 3 to 1 for bars, and distinct to colour-blind readers. */
export const INK = '#1f2933';
export const MUTED = '#52606d';
export const LINE = '#cbd2d9';
export const TRACK = '#eef1f4';
export const MISSING = '#c2410c';
export const NUMBERS = '#1d6fa5';

export const FONT =
  'system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", Arial, sans-serif';

export const WIDTH = 960;
export const MARGIN = 32;
/** So many columns fit on a page that is still read. */
export const MOST_COLUMNS = 12;

/** The width of 13 px text in the widest of the fonts; East Asian letters and emoji are nearly square. */
export function textWidth(text: string): number {
  return Array.from(text).reduce((sum, letter) => sum + (letter >= '\u1100' ? 14 : 8), 0);
}

/** The text on one line, cut to a width. */
export function fitText(text: string, width: number): string {
  let length = Math.floor(width / 8);
  while (length > 1 && textWidth(clipped(text, length)) > width) length -= 1;
  return clipped(text, length);
}

/** A drawn part and its height, so that parts can be stacked. */
export type Drawing = { readonly markup: string; readonly height: number };

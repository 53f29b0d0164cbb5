import type { ColumnProfile } from '../columns/column-profile.ts';
import { counted, grouped, percent } from '../wording.ts';
import {
  type Drawing,
  fitText,
  INK,
  LINE,
  MARGIN,
  MISSING,
  MOST_COLUMNS,
  MUTED,
  textWidth,
  TRACK,
  WIDTH,
} from './chart-style.ts';
import { element, label } from './svg.ts';

const ROW = 24;
const NAMES = 224;
const COUNTS = 120;

/** A bar per column of the share of its rows that have no value. */
export function drawMissing(columns: readonly ColumnProfile[], rows: number, top: number): Drawing {
  const title = label(MARGIN, top + 18, 'Missing values', { 'font-size': 16, 'font-weight': 600 });
  const total = columns.reduce((sum, { missing }) => sum + missing, 0);
  if (total === 0) {
    const none = label(MARGIN, top + 44, rows === 0 ? 'The table has no rows.' : 'None.', {
      fill: MUTED,
    });
    return { markup: title + none, height: 56 };
  }
  const shown = mostMissing(columns);
  const longest = Math.max(...shown.map(({ name }) => textWidth(fitText(name, NAMES))));
  const x = MARGIN + longest + 12;
  const bars = shown.map((column, index) => bar(column, rows, x, top + 34 + index * ROW));
  const rest = columns.length - shown.length;
  const bottom = top + 34 + shown.length * ROW;
  const note =
    rest === 0
      ? ''
      : label(
          MARGIN,
          bottom + 18,
          `Shown are the ${shown.length} columns with the most missing values; ${counted(rest, 'column')} left out.`,
          {
            fill: MUTED,
            'font-size': 12,
          },
        );
  return { markup: title + bars.join('') + note, height: bottom - top + (rest === 0 ? 0 : 26) };
}

/** All columns in the order of the file, or those with the most missing values, most first. */
function mostMissing(columns: readonly ColumnProfile[]): readonly ColumnProfile[] {
  if (columns.length <= MOST_COLUMNS) return columns;
  return columns
    .toSorted((a, b) => b.missing - a.missing || a.position - b.position)
    .slice(0, MOST_COLUMNS);
}

function bar({ name, missing }: ColumnProfile, rows: number, x: number, y: number): string {
  const full = WIDTH - MARGIN - COUNTS - x;
  const middle = y + ROW / 2 + 4;
  // A single missing value in a large table must still be seen.
  const width = missing === 0 ? 0 : Math.max(2, (full * missing) / rows);
  const figure = missing === 0 ? '0' : `${grouped(missing)} (${percent(missing, rows)})`;
  return [
    label(x - 12, middle, fitText(name, NAMES), { 'text-anchor': 'end', fill: INK }),
    element('rect', {
      x,
      y: y + 5,
      width: full,
      height: ROW - 10,
      rx: 2,
      fill: TRACK,
      stroke: LINE,
      'stroke-width': 0.5,
    }),
    width === 0
      ? ''
      : element('rect', { x, y: y + 5, width, height: ROW - 10, rx: 2, fill: MISSING }),
    label(x + full + 10, middle, figure, { fill: missing === 0 ? MUTED : INK }),
  ].join('');
}

import type { ColumnProfile } from '../columns/column-profile.ts';
import type { Bin, Histogram } from '../columns/histogram.ts';
import type { NumberSummary } from '../columns/number-summary.ts';
import { counted, grouped, shortNumber } from '../wording.ts';
import {
  type Drawing,
  fitText,
  INK,
  LINE,
  MARGIN,
  MOST_COLUMNS,
  MUTED,
  NUMBERS,
  WIDTH,
} from './chart-style.ts';
import { type Attributes, element, escapeXml, label } from './svg.ts';

const ACROSS = 3;
const GAP = 32;
const PANEL = (WIDTH - 2 * MARGIN - (ACROSS - 1) * GAP) / ACROSS;
const PLOT = 92;
const PANEL_HEIGHT = 196;
/** Of a panel's height, what parts it from the next. */
const PANEL_GAP = 24;

/** A small histogram for each numeric column, in the order of the file. */
export function drawHistograms(columns: readonly ColumnProfile[], top: number): Drawing {
  const numeric = columns.flatMap(({ name, type, summary }) =>
    summary?.kind === 'numbers' ? [{ name, whole: type === 'integer', summary }] : [],
  );
  const title = label(MARGIN, top + 18, 'Distribution of the numeric columns', {
    'font-size': 16,
    'font-weight': 600,
  });
  if (numeric.length === 0) {
    const none = label(MARGIN, top + 44, 'No column is numeric.', { fill: MUTED });
    return { markup: title + none, height: 56 };
  }
  const shown = numeric.slice(0, MOST_COLUMNS);
  const panels = shown.map((column, index) =>
    panel(
      column,
      MARGIN + (index % ACROSS) * (PANEL + GAP),
      top + 38 + Math.floor(index / ACROSS) * PANEL_HEIGHT,
    ),
  );
  const rest = numeric.length - shown.length;
  const bottom = top + 38 + Math.ceil(shown.length / ACROSS) * PANEL_HEIGHT - PANEL_GAP;
  const note = `Shown are the first ${shown.length} numeric columns; ${counted(rest, 'more numeric column')} left out.`;
  const markup =
    rest === 0 ? '' : label(MARGIN, bottom + 22, note, { fill: MUTED, 'font-size': 12 });
  return { markup: title + panels.join('') + markup, height: bottom - top + (rest === 0 ? 0 : 30) };
}

type Numeric = { readonly name: string; readonly whole: boolean; readonly summary: NumberSummary };

function panel({ name, whole, summary }: Numeric, x: number, y: number): string {
  const { histogram, count, median } = summary;
  const { bins } = histogram;
  const first = bins[0];
  const last = bins.at(-1);
  if (first === undefined || last === undefined) return '';
  const peak = Math.max(...bins.map((bin) => bin.count));
  const plotTop = y + 44;
  const base = plotTop + PLOT;
  const slot = PANEL / bins.length;
  const bars = bins.map((bin, index) => {
    if (bin.count === 0) return '';
    // A lone bin as wide as the panel would look like a background.
    const width = bins.length === 1 ? slot / 4 : Math.max(1, slot - 1.5);
    const height = Math.max(1.5, (PLOT * bin.count) / peak);
    const left = x + index * slot + (slot - width) / 2;
    const tip = `${shortNumber(bin.from)} to ${shortNumber(bin.to)}: ${grouped(bin.count)}`;
    const shape = { x: left, y: base - height, width, height, fill: NUMBERS };
    return element('rect', shape, element('title', {}, escapeXml(tip)));
  });
  const small = { 'font-size': 11, fill: MUTED };
  return [
    label(x, y + 14, fitText(name, PANEL), { 'font-weight': 600, fill: INK }),
    label(x, y + 31, `${counted(count, 'value')}, median ${shortNumber(median)}`, small),
    label(x + PANEL, y + 31, `tallest bar ${grouped(peak)}`, { ...small, 'text-anchor': 'end' }),
    ...bars,
    element('line', { x1: x, y1: base + 0.5, x2: x + PANEL, y2: base + 0.5, stroke: LINE }),
    ...axis(bins, whole, x, base + 16, small),
    beyond(histogram, x + PANEL / 2, base + 32, small),
  ].join('');
}

function beyond({ below, above }: Histogram, x: number, y: number, style: Attributes): string {
  const parts = [
    ...(below > 0 ? [`${grouped(below)} far below`] : []),
    ...(above > 0 ? [`${grouped(above)} far above`] : []),
  ];
  if (parts.length === 0) return '';
  const centred = { ...style, 'text-anchor': 'middle', 'font-style': 'italic' };
  return label(x, y, `not drawn: ${parts.join(', ')}`, centred);
}

function axis(
  bins: readonly Bin[],
  whole: boolean,
  x: number,
  y: number,
  style: Attributes,
): readonly string[] {
  const from = bins[0]?.from ?? 0;
  const { from: lastFrom, to } = bins.at(-1) ?? { from, to: from };
  const at = (offset: number, value: number, anchor: string): string =>
    label(x + offset, y, shortNumber(value), { ...style, 'text-anchor': anchor });
  if (from === to) return [at(PANEL / 2, from, 'middle')];
  if (whole && to - lastFrom === 1) {
    // A bar of width one stands for one integer, so the number belongs below its middle.
    const half = PANEL / bins.length / 2;
    const first = at(half, from, 'middle');
    return bins.length === 1 ? [first] : [first, at(PANEL - half, lastFrom, 'middle')];
  }
  return [at(0, from, 'start'), at(PANEL / 2, from / 2 + to / 2, 'middle'), at(PANEL, to, 'end')];
}

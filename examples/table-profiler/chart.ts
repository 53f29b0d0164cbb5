import { sizeInWords } from './describe.ts';
import { FONT, INK, MARGIN, MUTED, WIDTH } from './drawing/chart-style.ts';
import { drawHistograms } from './drawing/histogram-chart.ts';
import { drawMissing } from './drawing/missing-chart.ts';
import { element, escapeXml, label } from './drawing/svg.ts';
import type { TableProfile } from './profile.ts';
import { clipped } from './wording.ts';

/** The profile as one self-contained SVG: missing values per column, and a histogram for each numeric column. */
export function renderChart(profile: TableProfile, name: string): string {
  const title = `Profile of ${clipped(name, 60)}`;
  const size = sizeInWords(profile);
  const missing = drawMissing(profile.columns, profile.rows, 92);
  const histogramsTop = 92 + missing.height + 32;
  const histograms = drawHistograms(profile.columns, histogramsTop);
  const height = histogramsTop + histograms.height + MARGIN;
  const content = [
    // A reader that can't see the picture hears these two.
    element('title', { id: 'title' }, escapeXml(title)),
    element('desc', { id: 'desc' }, escapeXml(`${size}. ${missingInWords(profile)}`)),
    element('rect', { width: WIDTH, height, fill: '#ffffff' }),
    label(MARGIN, 46, title, { 'font-size': 22, 'font-weight': 700 }),
    label(MARGIN, 70, `${size}.`, { fill: MUTED }),
    missing.markup,
    histograms.markup,
  ];
  const attributes = {
    xmlns: 'http://www.w3.org/2000/svg',
    viewBox: `0 0 ${WIDTH} ${height}`,
    width: WIDTH,
    height,
    role: 'img',
    'aria-labelledby': 'title desc',
    'font-family': FONT,
    'font-size': 13,
    fill: INK,
  };
  return `${element('svg', attributes, content.join('\n'))}\n`;
}

function missingInWords({ columns, rows }: TableProfile): string {
  const most = columns.reduce<(typeof columns)[number] | undefined>(
    (worst, column) => (column.missing > (worst?.missing ?? 0) ? column : worst),
    undefined,
  );
  if (most === undefined) return 'No column misses values.';
  return `Most are missing in ${clipped(most.name, 60)}: ${most.missing} of ${rows}.`;
}

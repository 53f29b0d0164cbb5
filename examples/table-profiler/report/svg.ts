import type { ColumnProfile } from '../columns/column.ts';
import type { TableProfile } from '../profile.ts';
import { clipped, counted, percent, shortNumber } from '../wording.ts';
import { gist } from './markdown.ts';
import { sizeInWords } from './summary.ts';

/**
 * Colours with a contrast of at least 4.5 to 1 on white for text, 3 to 1 for bars, and distinct to
 * colour-blind readers.
 */
const STYLE =
  'text{font:13px system-ui,"DejaVu Sans",Arial,sans-serif;fill:#1f2933}.title{font-size:22px}.small{font-size:11px;fill:#52606d}.track{fill:#e4e8ec}.missing{fill:#c2410c}.bar{fill:#1d6fa5}';
const TOP = 112;
const ROW = 44;
/** So many columns fit on a page that is still read. */
const MOST_COLUMNS = 30;

/**
 * The profile as one self-contained SVG: a line for each column, with its missing values and how
 * its numbers are spread.
 */
export function renderChart(profile: TableProfile, name: string): string {
  const shown = profile.columns.slice(0, MOST_COLUMNS);
  const height = TOP + (shown.length + 1) * ROW;
  const title = `Profile of ${clipped(name, 60)}`;
  const size = `${sizeInWords(profile)}.`;
  const rest = `${counted(profile.columns.length - shown.length, 'further column')} left out.`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 960 ${height}" role="img" aria-labelledby="title desc">`,
    // A reader that can't see the picture hears these two.
    `<title id="title">${escapeXml(title)}</title><desc id="desc">${escapeXml(size)}</desc>`,
    `<style>${STYLE}</style><rect width="960" height="${height}" fill="#fff"/>`,
    label(32, 40, 'title', title),
    label(32, 64, 'size', size),
    label(288, TOP - 18, 'small', 'Missing values'),
    ...shown.map((column, index) => line(column, profile.rows, TOP + index * ROW)),
    shown.length < profile.columns.length ? label(32, height - 12, 'small', rest) : '',
    '</svg>\n',
  ].join('\n');
}

function line(column: ColumnProfile, rows: number, top: number): string {
  const { missing, name, numbers, type } = column;
  // A single missing value in a large table must still be seen.
  const width = missing === 0 ? 0 : Math.max(2, (200 * missing) / rows);
  const bins = numbers?.histogram ?? [];
  const peak = Math.max(1, ...bins.map(({ count }) => count));
  const bars = bins.map(({ count }, index) => {
    const height = count === 0 ? 0 : Math.max(1.5, (24 * count) / peak);
    return bar(
      'bar',
      640 + (index * 288) / bins.length,
      top + 24 - height,
      286 / bins.length,
      height,
    );
  });
  return [
    label(32, top + 12, 'name', clipped(name, 28)),
    label(32, top + 28, 'small', type),
    bar('track', 288, top + 4, 200, 14),
    bar('missing', 288, top + 4, width, 14),
    label(498, top + 16, 'count', `${shortNumber(missing)} (${percent(missing, rows)})`),
    ...bars,
    label(640, top + 36, 'small', clipped(gist(column), 48)),
  ].join('');
}

function bar(kind: string, ...at: readonly number[]): string {
  const [x, y, width, height] = at.map((value) => Math.round(value * 100) / 100);
  return `<rect class="${kind}" x="${x}" y="${y}" width="${width}" height="${height}"/>`;
}

function label(x: number, y: number, kind: string, text: string): string {
  return `<text class="${kind}" x="${x}" y="${y}">${escapeXml(text)}</text>`;
}

/** Text as XML character data; what XML 1.0 can't hold at all becomes a replacement character. */
function escapeXml(text: string): string {
  // oxlint-disable-next-line no-control-regex -- control characters are the very thing to be found
  const held = text.toWellFormed().replace(/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, '\ufffd');
  return held.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
}

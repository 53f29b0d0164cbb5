import type { Row } from '../table.ts';
import { commonWidth } from './common-width.ts';

export const MOST_TITLE_LINES = 10;

/**
 * The lines before the table that hold a title or a remark: single cells above rows of several. Over rows of two cells a
 * single one may as well be a name with a comma below it, so there a blank line must part them.
 */
export function titleLines(records: readonly Row[]): readonly Row[] {
  const start = records.slice(0, MOST_TITLE_LINES + 1).findIndex(({ cells }) => cells.length > 1);
  if (start <= 0) return [];
  const rest = records.slice(start, start + 100);
  const width = commonWidth(rest);
  const parted = (rest[0]?.line ?? 0) > (records[start - 1]?.line ?? 0) + 1;
  const regular = rest.filter(({ cells }) => cells.length === width).length / rest.length > 0.5;
  return regular && (width > 2 || parted) ? records.slice(0, start) : [];
}

import { DELIMITERS, type Delimiter, type Row } from '../table.ts';
import { commonWidth } from './common-width.ts';
import { parseRecords } from './parse-records.ts';
import { titleLines } from './title-lines.ts';

/** Enough to see the pattern; a few long cells must not make it a long read. */
const SAMPLE_CHARACTERS = 64 * 1024;
const SAMPLE_RECORDS = 100;

/**
 * Finds what parts the cells: the candidate by which most lines have equally many cells, and whose cells are clean. Quotes
 * are respected. `none` means that no candidate parts the lines consistently.
 */
export function sniffDelimiter(text: string): Delimiter {
  const scores = DELIMITERS.map(({ name }) => score(text, name));
  const best = scores.reduce((a, b) => (better(b, a) ? b : a));
  return best.agreement < 0.5 ? 'none' : best.delimiter;
}

type Score = {
  readonly delimiter: Delimiter;
  /** The share of lines that have the most common number of cells; 0 if that is one cell. */
  readonly agreement: number;
  /** The share of cells that hold no other candidate's character. */
  readonly clean: number;
  readonly width: number;
};

function score(text: string, delimiter: Delimiter): Score {
  const sampled = sample(text, delimiter);
  const titles = titleLines(sampled).length;
  const records = sampled.slice(titles);
  const width = commonWidth(records);
  const first = records[0]?.cells.length ?? 0;
  // One name over pairs: more likely a column of names such as `Smith, John` than a header that lacks one.
  if (width < 2 || first < 2) return { delimiter, agreement: 0, clean: 0, width };
  const alike = records.filter(({ cells }) => cells.length === width).length / records.length;
  const cells = records.flatMap((record) => record.cells);
  const clean = cells.filter((cell) => !foreign(cell, delimiter)).length / cells.length;
  // A first line that is parted into as many cells as the rows is the best sign there is.
  const agreement = first === width && titles === 0 ? alike : alike * 0.75;
  return { delimiter, agreement, clean, width };
}

function better(a: Score, b: Score): boolean {
  if (Math.abs(a.agreement - b.agreement) > 0.05) return a.agreement > b.agreement;
  if (a.clean !== b.clean) return a.clean > b.clean;
  return a.width > b.width;
}

function sample(text: string, delimiter: Delimiter): readonly Row[] {
  const cut = text.length > SAMPLE_CHARACTERS;
  const { records } = parseRecords(text.slice(0, SAMPLE_CHARACTERS), delimiter, SAMPLE_RECORDS);
  // The line in which the sample was cut says nothing about its cells.
  return cut && records.length > 1 && records.length < SAMPLE_RECORDS
    ? records.slice(0, -1)
    : records;
}

function foreign(cell: string, delimiter: Delimiter): boolean {
  // A decimal comma is part of a number; under a comma its two halves would look clean, so the whole must too.
  if (delimiter !== 'comma' && /^[+-]?[\d. ]+,\d+$/.test(cell)) return false;
  return delimiter === 'comma' ? /[;\t|]/.test(cell) : /[,;\t|]/.test(cell);
}

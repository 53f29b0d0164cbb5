import { ask, DELIMITERS, type Question, type Row } from '../table.ts';
import type { Turns } from '../turns.ts';
import { commonWidth, linesBefore } from './layout.ts';
import { sampleRecords } from './records.ts';

const NAMES = Object.keys(DELIMITERS);
const ANSWER = `answer with what parts the cells (${NAMES.join(', ')} or another character), or with "one column"`;

/**
 * Finds what parts the cells: the candidate by which most lines have equally many cells, and whose
 * cells are clean. Quotes are respected. Where none does, but something seems to part the lines,
 * that is a question.
 */
export async function sniffDelimiter(text: string, turns: Turns): Promise<string | Question> {
  const scores: Score[] = [];
  for (const name of NAMES) scores.push(score(name, await sampleRecords(text, name, turns)));
  const best = scores.reduce((a, b) => (better(b, a) ? b : a));
  if (best.agreement >= 0.5) return best.delimiter;
  const parted = scores.find(({ widths }) => (widths[0] ?? 0) > 1);
  if (parted !== undefined) {
    const { delimiter, widths } = parted;
    const cells = widths.slice(0, 5).join(', ');
    return ask(
      'shape',
      `Parted by ${delimiter}, its lines have ${cells} cells. Send lines with equally many, or ${ANSWER}.`,
    );
  }
  return oneColumn(await sampleRecords(text, 'none', turns));
}

type Score = {
  readonly delimiter: string;
  /** The share of lines that have the most common number of cells; 0 if that is one cell. */
  readonly agreement: number;
  /** The share of cells that hold no other candidate's character. */
  readonly clean: number;
  /** The different numbers of cells that lines have, the first line's first. */
  readonly widths: readonly number[];
};

function score(delimiter: string, sample: readonly Row[]): Score {
  const before = linesBefore(sample);
  const records = sample.slice(before);
  const width = commonWidth(records);
  const widths = [...new Set(records.map(({ cells }) => cells.length))];
  // One name over pairs: more likely a column of names such as `Smith, John` than a header that
  // lacks one.
  if (width < 2 || widths[0] === 1) return { delimiter, widths, agreement: 0, clean: 0 };
  const alike = records.filter(({ cells }) => cells.length === width).length / records.length;
  const cells = records.flatMap((record) => record.cells);
  const clean = cells.filter((cell) => !foreign(cell, delimiter)).length / cells.length;
  // A first line that is parted into as many cells as the rows is the best sign there is.
  const agreement = widths[0] === width && before === 0 ? alike : alike * 0.75;
  return { delimiter, widths, agreement, clean };
}

function better(a: Score, b: Score): boolean {
  if (Math.abs(a.agreement - b.agreement) > 0.05) return a.agreement > b.agreement;
  return a.clean === b.clean ? (a.widths[0] ?? 0) > (b.widths[0] ?? 0) : a.clean > b.clean;
}

/**
 * A decimal comma is part of a number; under a comma its two halves would look clean, so the whole
 * must too.
 */
function foreign(cell: string, delimiter: string): boolean {
  if (delimiter !== 'comma' && /^[+-]?[\d. ]+,\d+$/.test(cell)) return false;
  return delimiter === 'comma' ? /[;\t|^]/.test(cell) : /[,;\t|^]/.test(cell);
}

/**
 * Lines that nothing known parts. If each holds as many of one mark as the others, that may well
 * part its cells.
 */
function oneColumn(rows: readonly Row[]): string | Question {
  const [first = '', ...lines] = rows.map(({ cells }) => cells[0] ?? '');
  const count = (line: string, mark: string): number => line.split(mark).length;
  const mark = [...new Set(first.replace(/[\w\s"'.@/()-]|\p{L}/gu, ''))].find(
    (each) => lines.length > 0 && lines.every((line) => count(line, each) === count(first, each)),
  );
  if (mark === undefined) return 'none';
  const example = `holds "${mark}", such as ${JSON.stringify(first.slice(0, 60))}`;
  return ask(
    'shape',
    `Each of its lines is one cell that ${example}. Send it without quotes around whole lines, or ${ANSWER}.`,
  );
}

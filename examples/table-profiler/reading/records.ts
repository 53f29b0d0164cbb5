import { pipeline } from 'node:stream/promises';
import { CsvError, type Options, parse } from 'csv-parse';
import { ask, DELIMITERS, type Limits, type Note, type Row } from '../table.ts';
import type { Turns } from '../turns.ts';

/** From the strictest reading of quotes to the laxest that keeps their meaning. */
const DIALECTS: readonly (readonly [options: Options, told?: string])[] = [
  [{}],
  [{ escape: '\\' }, 'Quotes within cells were read as escaped by backslashes'],
  [{ relax_quotes: true }, 'Quotes in the middle of a cell were read as ordinary characters'],
];
const LITERAL: typeof DIALECTS = [
  [{ quote: null, escape: null }, 'Quotes were read as ordinary characters'],
];
const SLICE_BYTES = 32 * 1024;
/** A larger row is a quote that is not closed, or no table; it would be held whole. */
const ROW_BYTES = 1024 * 1024;
/** Parts nothing: a text with this character has been refused as binary. */
const NO_DELIMITER = '\0';

/**
 * Parses a text, whose lines end with \n, in turns. Quotes that don't add up are a question:
 * whatever were made of them would be a guess at where cells end. Rows are as they are in the file:
 * a blank line is one empty cell, and nothing is padded or cut yet.
 */
export async function parseRecords(
  text: string,
  delimiter: string,
  quotes: 'text' | undefined,
  limits: Limits,
  turns: Turns,
) {
  const faults: CsvError[] = [];
  for (const [options, told] of quotes === 'text' ? LITERAL : DIALECTS) {
    const { fault, ...read } = await parseAs(text, delimiter, options, limits, turns);
    const lines = faults.slice(0, 1).map(({ lines: line }) => Number(line));
    if (fault === undefined) {
      const notes: readonly Note[] = told === undefined ? [] : [{ message: told, lines }];
      return { kind: 'records' as const, ...read, notes };
    }
    faults.push(fault);
  }
  const fault = faults.at(-1);
  const line = `near line ${Number(fault?.['lines'])}`;
  if (fault?.code === 'CSV_MAX_RECORD_SIZE') {
    return ask('shape', `The row ${line} is larger than ${ROW_BYTES} bytes: is a quote missing?`);
  }
  const how = 'a quoted cell must be closed, and a quote within it doubled';
  return ask(
    'shape',
    `The quotes ${line} don't add up: ${how}. Mend it, or answer "quotes are text".`,
  );
}

/**
 * The first rows that are not blank of a long text, read with all tolerance, to see their pattern.
 */
export async function sampleRecords(
  text: string,
  delimiter: string,
  turns: Turns,
): Promise<readonly Row[]> {
  const limits = { rows: 100, cells: Infinity };
  const sample = text.slice(0, 64 * 1024);
  const { rows, more } = await parseAs(sample, delimiter, { relax_quotes: true }, limits, turns);
  // The line in which the sample was cut says nothing about its cells.
  const whole = sample.length < text.length && !more && rows.length > 1 ? rows.slice(0, -1) : rows;
  return whole.filter(hasContent);
}

/** Whether the row is more than a blank line. */
export function hasContent({ cells }: Row): boolean {
  return cells.length > 1 || cells[0] !== '';
}

async function parseAs(
  text: string,
  delimiter: string,
  dialect: Options,
  limits: Pick<Limits, 'rows' | 'cells'>,
  turns: Turns,
): Promise<{ rows: readonly Row[]; more: boolean; fault: CsvError | undefined }> {
  const rows: Row[] = [];
  const seen = { cells: 0, line: 1 };
  const full = (): boolean => rows.length >= limits.rows || seen.cells > limits.cells;
  const parser = parse({
    delimiter: delimiter === 'none' ? NO_DELIMITER : (DELIMITERS[delimiter] ?? delimiter),
    relax_column_count: true,
    trim: true,
    max_record_size: ROW_BYTES,
    ...dialect,
    on_record: (cells: readonly string[], { lines }) => {
      if (!full()) rows.push({ line: seen.line, cells });
      seen.cells += cells.length;
      // The parser counts the lines behind a record: it starts behind the one before.
      seen.line = lines + 1;
      return null;
    },
  });
  const bytes = Buffer.from(text);
  async function* slices(): AsyncGenerator<Buffer> {
    for (let at = 0; at < bytes.length && !full(); at += SLICE_BYTES) {
      yield bytes.subarray(at, at + SLICE_BYTES);
      await turns.after(SLICE_BYTES);
    }
  }
  try {
    await pipeline(slices, parser.resume());
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    // What is cut off at the limit may end within quotes.
    if (!full()) return { rows, more: false, fault: error };
  }
  return { rows, more: full(), fault: undefined };
}

import { CsvError, type Options, parse } from 'csv-parse/sync';
import { DELIMITERS, type Delimiter, type Row } from '../table.ts';

export type Records = {
  /** As many cells as the line has; nothing is padded or cut yet. */
  readonly records: readonly Row[];
  /** Lines whose quotes don't add up; their quotes were taken as ordinary characters. */
  readonly strayQuotes: readonly number[];
};

/** Parts nothing: a text with this character has been refused as binary. */
const NO_DELIMITER = '\0';

/** Each repair reads on from the faulty line, so their number bounds the time that a hostile file can take. */
const MOST_REPAIRS = 10;

const COMMON: Options = {
  // Files edited on several systems mix their line ends; the first one found must not decide for all.
  record_delimiter: ['\r\n', '\n', '\r'],
  relax_column_count: true,
  relax_quotes: true,
  skip_empty_lines: true,
  trim: true,
  max_record_size: 0,
};
const LITERAL: Options = { ...COMMON, quote: null, escape: null };

/**
 * Parses at most `most` records. It never fails: a quote that is not closed, or closed in mid-cell, costs only its own
 * line the meaning of its quotes.
 */
export function parseRecords(text: string, delimiter: Delimiter, most: number): Records {
  const bytes = Buffer.from(text);
  const records: Row[] = [];
  const strayQuotes: number[] = [];
  const character = DELIMITERS.find(({ name }) => name === delimiter)?.character ?? NO_DELIMITER;
  const lines = lineCounter(bytes, delimiter);
  let from = 0;

  const run = (options: Options, to: number): boolean => {
    const start = from;
    try {
      parse(bytes.subarray(start), {
        ...options,
        delimiter: character,
        to,
        on_record: (cells, { bytes: end }) => {
          records.push({ line: lines.startOfRecord(start + end), cells });
          from = start + end;
          return null;
        },
      });
      return true;
    } catch (error) {
      if (error instanceof CsvError) return false;
      throw error;
    }
  };

  while (records.length < most && !run(COMMON, most - records.length)) {
    const before = records.length;
    run(LITERAL, strayQuotes.length < MOST_REPAIRS ? 1 : most - before);
    const repaired = records[before];
    if (repaired === undefined) break;
    strayQuotes.push(repaired.line);
  }
  return { records, strayQuotes };
}

/** Counts lines by hand: csv-parse counts a CRLF inside quotes twice. */
function lineCounter(
  bytes: Uint8Array,
  delimiter: Delimiter,
): { startOfRecord(end: number): number } {
  let at = 0;
  let line = 1;
  const step = (): void => {
    const byte = bytes[at];
    if (byte === LF || (byte === CR && bytes[at + 1] !== LF)) line += 1;
    at += 1;
  };
  return {
    startOfRecord(end) {
      const blankEnd = endOfBlankLines(bytes, at, delimiter);
      while (at < blankEnd) step();
      const start = line;
      while (at < end) step();
      return start;
    },
  };
}

/** A line of nothing but tabs is blank, unless tabs part its cells: then it is a row of empty cells. */
function endOfBlankLines(bytes: Uint8Array, from: number, delimiter: Delimiter): number {
  let end = from;
  for (let at = from; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === LF || byte === CR) end = at + 1;
    else if (byte !== SPACE && (byte !== TAB || delimiter === 'tab')) break;
  }
  return end;
}

const TAB = 9;
const LF = 10;
const CR = 13;
const SPACE = 32;

import { commonWidth } from './reading/common-width.ts';
import { type Decoded, decode } from './reading/decode.ts';
import { columnNames, isHeader } from './reading/header.ts';
import { emptyRowNotes, firstLines, fitted, raggedNotes } from './reading/irregular-rows.ts';
import { parseRecords, type Records } from './reading/parse-records.ts';
import { sniffDelimiter } from './reading/sniff-delimiter.ts';
import { MOST_TITLE_LINES, titleLines } from './reading/title-lines.ts';
import {
  DELIMITERS,
  type Delimiter,
  LIMITS,
  type Limits,
  type Note,
  type Problem,
  type ProblemCode,
  type Row,
  type Table,
} from './table.ts';
import { counted, grouped } from './wording.ts';

export type TableReading =
  | { readonly kind: 'table'; readonly table: Table }
  | { readonly kind: 'problem'; readonly problem: Problem };

/**
 * Reads a CSV file into a table. An empty file is a table without columns, and a header alone is a table without rows; a
 * problem is only what no table can be made of. Whatever was guessed or mended is in the table's notes.
 */
export function readTable(source: Uint8Array | string, limits: Limits = LIMITS): TableReading {
  const bytes = typeof source === 'string' ? Buffer.from(source) : source;
  if (bytes.byteLength > limits.bytes) {
    const size = counted(bytes.byteLength, 'byte');
    return problem(
      'too-many-bytes',
      `The table has ${size}; at most ${grouped(limits.bytes)} are read.`,
    );
  }
  const decoded = decode(bytes);
  if (decoded.kind === 'problem') return decoded;
  const { delimiter, records, strayQuotes } = parse(decoded.text, limits);
  const titles = titleLines(records);
  const [first, ...others] = records.slice(titles.length);
  if (first === undefined)
    return table(decoded, { columns: [], rows: [], delimiter, hasHeader: false }, []);

  const hasHeader = isHeader(first, others);
  const all = hasHeader ? others : [first, ...others];
  const rows = all.slice(0, limits.rows);
  const width = widthOf(hasHeader ? first.cells.length : 0, rows);
  const fault = tooLarge(width, [first, ...rows], limits);
  if (fault !== undefined) return problem(...fault);

  const { names, notes } = columnNames(hasHeader ? first : undefined, width);
  const fittedRows = rows.map((row) => fitted(row, width));
  return table(decoded, { columns: names, rows: fittedRows, delimiter, hasHeader }, [
    ...noteIf(
      titles.length > 0,
      'title-lines',
      'Lines before the table were left out.',
      firstLines(titles),
    ),
    ...noteIf(
      !hasHeader,
      'no-header',
      'The first line looks like data, so the columns were numbered.',
    ),
    ...notes,
    ...noteIf(strayQuotes.length > 0, 'stray-quotes', STRAY_QUOTES, strayQuotes),
    ...raggedNotes(rows, width),
    ...emptyRowNotes(fittedRows),
    ...noteIf(
      all.length > rows.length,
      'rows-left-out',
      `Only the first ${counted(limits.rows, 'row')} were read.`,
    ),
  ]);
}

const STRAY_QUOTES =
  'Quotes that are not closed, or close within a cell, were taken as ordinary characters.';

function parse(text: string, limits: Limits): Records & { readonly delimiter: Delimiter } {
  // Excel's own first line: it names the delimiter and is no part of the table.
  const declared = /^sep=([,;\t|])[ \t]*(?:\r\n|\n|\r|$)/i.exec(text);
  const body = declared === null ? text : text.slice(declared[0].length);
  const named = DELIMITERS.find(({ character }) => character === declared?.[1]);
  const delimiter = named?.name ?? sniffDelimiter(body);
  // Beside titles and header, one row more than the limit: it shows that there are more.
  const parsed = parseRecords(body, delimiter, limits.rows + MOST_TITLE_LINES + 2);
  if (declared === null) return { ...parsed, delimiter };
  return {
    delimiter,
    records: parsed.records.map(({ line, cells }) => ({ line: line + 1, cells })),
    strayQuotes: parsed.strayQuotes.map((line) => line + 1),
  };
}

/** The header's width, unless most rows agree on a larger one: then the header lacks a name. */
function widthOf(headerWidth: number, rows: readonly Row[]): number {
  const width = commonWidth(rows);
  if (width <= headerWidth) return headerWidth;
  const agreeing = rows.filter(({ cells }) => cells.length === width).length;
  return headerWidth === 0 || agreeing > rows.length / 2 ? width : headerWidth;
}

function tooLarge(
  width: number,
  records: readonly Row[],
  limits: Limits,
): [ProblemCode, string] | undefined {
  if (width > limits.columns) {
    const size = counted(width, 'column');
    return [
      'too-many-columns',
      `The table has ${size}; at most ${grouped(limits.columns)} are read.`,
    ];
  }
  const most = limits.cellCharacters;
  const long = records.find(({ cells }) => cells.some((cell) => cell.length > most));
  if (long === undefined) return undefined;
  const where = `The row at line ${grouped(long.line)} has a cell of more than ${counted(most, 'character')}.`;
  return ['cell-too-long', `${where} Is a quote missing?`];
}

function table(
  { encoding, notes: decoding }: Decoded,
  read: Omit<Table, 'encoding' | 'notes'>,
  notes: readonly Note[],
): TableReading {
  return { kind: 'table', table: { ...read, encoding, notes: [...decoding, ...notes] } };
}

function problem(code: ProblemCode, message: string): TableReading {
  return { kind: 'problem', problem: { code, message } };
}

function noteIf(
  applies: boolean,
  code: string,
  message: string,
  lines?: readonly number[],
): readonly Note[] {
  if (!applies) return [];
  return [lines === undefined ? { code, message } : { code, message, lines }];
}

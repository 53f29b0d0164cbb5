import { decode } from './reading/decode.ts';
import { layOut } from './reading/layout.ts';
import { otherFormat } from './reading/other-format.ts';
import { parseRecords } from './reading/records.ts';
import { sniffDelimiter } from './reading/sniff-delimiter.ts';
import {
  ask,
  DELIMITERS,
  LIMITS,
  type Limits,
  type Question,
  type Said,
  type Table,
} from './table.ts';
import type { Turns } from './turns.ts';
import { counted } from './wording.ts';

/**
 * Rows read beside those that are kept: lines before the table, the header, and one that shows that
 * there are more.
 */
const SPARE_ROWS = 14;

/**
 * Reads a CSV file into a table, in turns. An empty file is a table without columns, and a header
 * alone is a table without rows. Whatever was left out, mended or guessed is in the table's notes;
 * a bold guess is a question instead.
 */
export async function readTable(
  source: Uint8Array | string,
  turns: Turns,
  said: Said = {},
  limits: Limits = LIMITS,
): Promise<{ readonly kind: 'table'; readonly table: Table } | Question> {
  const bytes = typeof source === 'string' ? Buffer.from(source) : source;
  const size = counted(bytes.byteLength, 'byte');
  if (bytes.byteLength > limits.bytes)
    return ask('format', `It has ${size}; at most ${limits.bytes} are read.`);
  const other = otherFormat(bytes);
  if (other !== undefined)
    return ask('format', `It seems to be ${other}. Export the table as CSV and send that.`);
  const decoded = await decode(bytes, typeof source === 'string' ? 'utf-8' : said.encoding);
  if (decoded.kind === 'question') return decoded;
  const text = decoded.text.replace(/\r\n?/g, '\n');

  // Excel's own first line: it names the delimiter and is no part of the table. It becomes a blank
  // one, so that lines are counted right.
  const declared = /^"?sep=([^\w\s"]|\t)"?[ \t]*(?=\n|$)/i.exec(text);
  const body = text.slice(declared?.[0].length ?? 0);
  const named = said.delimiter ?? declared?.[1];
  const told = Object.keys(DELIMITERS).find((name) => DELIMITERS[name] === named) ?? named;
  const delimiter = told ?? (await sniffDelimiter(body, turns));
  if (typeof delimiter !== 'string') return delimiter;
  const most = { ...limits, rows: limits.rows + SPARE_ROWS };
  const parsed = await parseRecords(body, delimiter, said.quotes, most, turns);
  if (parsed.kind === 'question') return parsed;
  const wide = parsed.rows.find(({ cells }) => cells.length > limits.columns);
  if (wide !== undefined) {
    const cells = counted(wide.cells.length, 'cell');
    return ask(
      'shape',
      `Line ${wide.line} has ${cells}; at most ${limits.columns} columns are read.`,
    );
  }
  await turns.after(parsed.rows.length);
  const laidOut = layOut(parsed.rows, said, delimiter === 'none');
  if (laidOut.kind === 'question') return laidOut;
  await turns.after(parsed.rows.length);
  const { columns, hasHeader, regular, rows } = laidOut;
  const unparted = { message: 'Nothing parts all its lines alike, so each was read as one cell' };
  const guess = delimiter === 'none' && told === undefined && /[,;\t|^]/.test(text);
  const table = {
    columns,
    rows: rows.slice(0, limits.rows),
    more: parsed.more || rows.length > limits.rows,
    delimiter,
    encoding: decoded.encoding,
    hasHeader,
    regular,
    notes: [...decoded.notes, ...parsed.notes, ...(guess ? [unparted] : []), ...laidOut.notes],
  };
  return { kind: 'table', table };
}

import type { Message, Part } from '../../shared/agent/index.ts';
import { readTable } from './read-table.ts';
import { isValue } from './reading/header.ts';
import type { Table } from './table.ts';
import { clipped } from './wording.ts';

export type Found =
  | { readonly kind: 'table'; readonly name: string; readonly table: Table; readonly more: number }
  | { readonly kind: 'question'; readonly question: string };

const HOW = 'Attach a CSV or TSV file, or paste its lines as text: a header and at least one row.';

/**
 * Finds the table to profile in the newest message that brings one, or else the question to ask. So an answer such as "the
 * file I sent before" still finds that file.
 */
export function findTable(newestFirst: readonly Message[]): Found {
  for (const message of newestFirst) {
    const found = message.role === 'user' ? inMessage(message.parts) : undefined;
    if (found !== undefined) return found;
  }
  return ask(`Send me a table. ${HOW}`);
}

function inMessage(parts: readonly Part[]): Found | undefined {
  const files = parts.filter(isTableFile);
  const tables = files.length > 0 ? files : parts.filter(isPastedTable);
  const first = tables[0];
  if (first !== undefined) return read(first, tables.length - 1);
  const other = parts.find((part) => 'raw' in part);
  if (other !== undefined) {
    const type = other.mediaType === undefined ? 'no CSV or TSV' : clipped(other.mediaType, 60);
    return ask(`I can't read ${nameOf(other)} (${type}). ${HOW}`);
  }
  if (parts.some((part) => 'url' in part)) {
    return ask(`I don't fetch addresses, so send me the table itself. ${HOW}`);
  }
  return undefined;
}

function read(part: Part, more: number): Found {
  const reading = readTable(contentOf(part) ?? '');
  if (reading.kind === 'table') {
    return { kind: 'table', name: nameOf(part), table: reading.table, more };
  }
  return ask(`I can't read ${nameOf(part)}: ${reading.problem.message}`);
}

function contentOf(part: Part): Uint8Array | string | undefined {
  if ('raw' in part) return part.raw;
  if (!('text' in part)) return undefined;
  // Chat programs fence what is pasted; what is said around it is no part of the table.
  return /^```[^\n]*\n([\s\S]*?)^```/m.exec(part.text)?.[1] ?? part.text;
}

const TABLE_TYPES: ReadonlySet<string> = new Set([
  'text/csv',
  'application/csv',
  'text/tab-separated-values',
]);
/** Types that senders put on a CSV for want of a better one; Windows takes it for Excel's. */
const VAGUE_TYPES: ReadonlySet<string> = new Set([
  '',
  'application/octet-stream',
  'application/vnd.ms-excel',
  'text/plain',
]);

function isTableFile(part: Part): boolean {
  if (!('raw' in part || 'text' in part)) return false;
  const type = (part.mediaType ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  return (
    TABLE_TYPES.has(type) || (VAGUE_TYPES.has(type) && /\.(?:csv|tsv)$/i.test(part.filename ?? ''))
  );
}

/** Whether a text without a type is a table: all its lines are parted alike, and it is not just prose with commas. */
function isPastedTable(part: Part): boolean {
  const content = 'text' in part ? contentOf(part) : undefined;
  if (typeof content !== 'string') return false;
  const reading = readTable(content);
  if (reading.kind === 'problem') return false;
  const { columns, rows, notes, delimiter } = reading.table;
  if (columns.length < 2 || rows.length === 0) return false;
  if (notes.some(({ code }) => IRREGULAR.has(code))) return false;
  const prose = delimiter === 'comma' && !/,\S/.test(content);
  return !prose || rows.some(({ cells }) => cells.some(isValue));
}

const IRREGULAR: ReadonlySet<string> = new Set(['short-rows', 'long-rows', 'no-header']);

function nameOf({ filename }: Part): string {
  const name = clipped(filename?.split(/[/\\]/).at(-1) ?? '', 80);
  return name === '' ? 'the table' : name;
}

function ask(question: string): Found {
  return { kind: 'question', question };
}

import type { Message, Part } from 'holdfast/agent';
import { readTable } from './read-table.ts';
import { isValue } from './reading/header.ts';
import { mediaTypeOf, saidIn, saidOf } from './said.ts';
import type { Said, Table } from './table.ts';
import type { Turns } from './turns.ts';
import { clipped } from './wording.ts';

export type Found =
  | { readonly kind: 'table'; readonly name: string; readonly table: Table; readonly more: number }
  | { readonly kind: 'question'; readonly question: string };

const HOW = 'Attach a CSV or TSV file, or paste its lines as text: a header and at least one row.';

/** Types that senders put on a table. */
const CSV_TYPES = ['csv', 'x-csv']
  .flatMap((name) => [`text/${name}`, `application/${name}`])
  .concat(['text/tsv', 'text/tab-separated-values', 'text/comma-separated-values']);
/** Windows takes a CSV for Excel's, and some programs name none but the vaguest type. */
const VAGUE_TYPES = ['text/plain', 'application/octet-stream', 'application/vnd.ms-excel'];
export const TABLE_TYPES = [...CSV_TYPES, ...VAGUE_TYPES];

/**
 * Finds the table to profile in the newest message that brings one, or else the question to ask.
 * What was said since, such as the answer to a question, is taken into account; so is an answer
 * such as "the file I sent before".
 */
export async function findTable(newestFirst: readonly Message[], turns: Turns): Promise<Found> {
  const since: Said[] = [];
  for (const { parts } of newestFirst.filter(({ role }) => role === 'user')) {
    since.unshift(...parts.map((part) => ('text' in part ? saidIn(part.text) : {})));
    const found = await inMessage(parts, Object.assign({}, ...since) as Said, turns);
    if (found !== undefined) return found;
  }
  return ask(`Send me a table. ${HOW}`);
}

async function inMessage(
  parts: readonly Part[],
  said: Said,
  turns: Turns,
): Promise<Found | undefined> {
  const files = parts.filter(isFile);
  const [file] = files;
  if (file !== undefined) {
    const name = nameOf(file);
    const reading = await readTable(contentOf(file), turns, { ...saidOf(file), ...said });
    if (reading.kind === 'question') return ask(`I can't read ${name}. ${reading.question}`);
    return { kind: 'table', name, table: reading.table, more: files.length - 1 };
  }
  const pasted = await Promise.all(parts.map((part) => inText(part, said, turns)));
  const [first, ...others] = pasted.filter((found) => found !== undefined);
  if (first !== undefined)
    return first.kind === 'table' ? { ...first, more: others.length } : first;
  return parts.some((part) => 'url' in part)
    ? ask(`I don't fetch addresses, so send me the table itself. ${HOW}`)
    : undefined;
}

/** Bytes are a file whatever they are called; text is one if its type or name says so. */
function isFile(part: Part): boolean {
  if ('raw' in part) return true;
  const type = mediaTypeOf(part)?.essence ?? '';
  const named = /\.(?:csv|tsv|tab|txt)$/i.test(part.filename ?? '');
  return 'text' in part && (CSV_TYPES.includes(type) || named);
}

/**
 * A table in a text without a type: all its lines are parted alike, and it is not just prose with
 * commas.
 */
async function inText(part: Part, said: Said, turns: Turns): Promise<Found | undefined> {
  if (!('text' in part)) return undefined;
  const text = contentOf(part).toString().trim();
  const reading = await readTable(text, turns, said);
  const lines = text.split('\n');
  // After a comma prose has a space.
  const prose =
    lines.length < 2 || !lines.every((line) => line.trim() === '' || /,\S|[;\t|^]/.test(line));
  if (reading.kind === 'question') {
    return reading.about === 'format' || !prose
      ? ask(`I can't read the table. ${reading.question}`)
      : undefined;
  }
  const { columns, hasHeader, regular, rows } = reading.table;
  if (columns.length < 2 || rows.length === 0 || (!hasHeader && said.header === undefined))
    return undefined;
  if (prose && (!regular || !rows.some(({ cells }) => cells.some(isValue)))) return undefined;
  return { kind: 'table', name: nameOf(part), table: reading.table, more: 0 };
}

function contentOf(part: Part): Uint8Array | string {
  if ('raw' in part) return part.raw;
  if (!('text' in part)) return '';
  // Chat programs fence what is pasted; what is said around it is no part of the table.
  return /^```[^\n]*\n([\s\S]*?)^```/m.exec(part.text)?.[1] ?? part.text;
}

function nameOf({ filename }: Part): string {
  const name = clipped(filename?.split(/[/\\]/).at(-1) ?? '', 80);
  return name === '' ? 'the table' : name;
}

function ask(question: string): Found {
  return { kind: 'question', question };
}

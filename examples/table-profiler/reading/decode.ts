import { encodingOf } from '../said.ts';
import { ask, type Note, type Question } from '../table.ts';

/** Below this confidence the detector can't tell related encodings apart. */
const SURE = 40;
const NONE: readonly Note[] = [];
const SAMPLE_BYTES = 64 * 1024;
const MARKS = { 'utf-8': '\xef\xbb\xbf', 'utf-16le': '\xff\xfe', 'utf-16be': '\xfe\xff' };

/**
 * Turns the bytes of a file into text. A byte order mark decides, then what the sender says, then
 * UTF-8 if it fits; or else the encoding is guessed from the letters, and the guess is told with a
 * word that it gave.
 */
export async function decode(bytes: Uint8Array, said = 'utf-8') {
  const start = Buffer.from(bytes.subarray(0, 3)).toString('latin1');
  const marked = Object.entries(MARKS).find(([, mark]) => start.startsWith(mark))?.[0];
  if (marked !== undefined) return decoded(bytes, marked, false);
  const label = encodingOf(said);
  if (label === undefined) return unknown(`I don't know the encoding ${JSON.stringify(said)}.`);
  try {
    return decoded(bytes, label, true);
  } catch {
    return await guessed(bytes, label);
  }
}

async function guessed(bytes: Uint8Array, not: string) {
  // Large, and seldom needed: no function should load it to start.
  const { analyse } = await import('chardet');
  const from = Math.max(0, bytes.findIndex((byte) => byte >= 0x80) - 1024);
  const best = analyse(bytes.subarray(from, from + SAMPLE_BYTES))[0];
  const encoding = encodingOf(best?.name ?? '');
  if (encoding === undefined || (best?.confidence ?? 0) < SURE) {
    return unknown(`It is not valid ${not}, and I can't tell its encoding.`);
  }
  const result = decoded(bytes, encoding, false);
  if (result.kind === 'question') return result;
  const word = /[\p{L}\p{N}]*[^\p{ASCII}][\p{L}\p{N}]*/u.exec(result.text)?.[0].slice(0, 30) ?? '';
  const message = `It is not valid ${not}, so it was read as ${encoding}: check words such as "${word}"`;
  return { ...result, notes: [{ message }] };
}

/** The decoder drops the byte order mark itself. */
function decoded(bytes: Uint8Array, encoding: string, fatal: boolean) {
  const text = new TextDecoder(encoding, { fatal }).decode(bytes);
  if (!text.includes('\0')) return { kind: 'text' as const, text, encoding, notes: NONE };
  return unknown('It seems to be a binary file, or text in an encoding that is not named.');
}

function unknown(what: string): Question {
  const advice = 'Send it in UTF-8, or answer with its encoding, such as windows-1252.';
  return ask('format', `${what} ${advice}`);
}

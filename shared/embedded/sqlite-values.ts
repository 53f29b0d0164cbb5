import type { Fields, Value } from '../ports/backend.ts';
import { isList, type Measure } from '../store/limits.ts';

/** A document as two columns. Without bytes in it `data` is its plain JSON and `bytes` is null. */
export interface Encoded {
  readonly data: string;
  readonly bytes: Uint8Array | null;
}

/**
 * Bytes lie one after another in `bytes`; in their place the JSON says `{"$": [offset, length]}`. A
 * key of the document that starts with `$` gets another one, so no document can hold a marker of
 * its own.
 */
const MARK = '$';

export function encodeFields(fields: Fields, measure: Measure): Encoded {
  if (measure.blobs === 0) return { data: JSON.stringify(fields), bytes: null };
  const bytes = new Uint8Array(measure.blobBytes);
  let offset = 0;
  const mark = (value: Value): Value => {
    if (typeof value !== 'object' || value === null) return value;
    if (value instanceof Uint8Array) {
      bytes.set(value, offset);
      offset += value.byteLength;
      return { [MARK]: [offset - value.byteLength, value.byteLength] };
    }
    if (isList(value)) return value.map(mark);
    const marked: Record<string, Value> = {};
    for (const key in value) {
      const member = value[key] as Value;
      const name = key.startsWith(MARK) ? MARK + key : key;
      marked[name] = typeof member === 'object' ? mark(member) : member;
    }
    return marked;
  };
  return { data: JSON.stringify(mark(fields)), bytes };
}

/** Throws for what this module did not write; the caller names the document. */
export function decodeFields(data: string, bytes: Uint8Array | null): Fields {
  const parsed = JSON.parse(data) as Members;
  return bytes === null ? parsed : unmarkMembers(parsed, bytes);
}

/** What was just parsed is ours alone, so it is changed where it stands. */
type Members = Record<string, Value>;

function unmark(value: Value, bytes: Uint8Array): Value {
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value;
  if (isList(value)) return value.map((item) => unmark(item, bytes));
  const place = value[MARK];
  if (place === undefined) return unmarkMembers(value, bytes);
  const [offset, length] = isList(place) ? place : [];
  if (typeof offset !== 'number' || typeof length !== 'number' || offset + length > bytes.length) {
    throw new TypeError('a marker points outside the bytes');
  }
  return bytes.subarray(offset, offset + length);
}

function unmarkMembers(members: Members, bytes: Uint8Array): Fields {
  const names = Object.keys(members);
  if (names.some((name) => name.startsWith(MARK))) return renamed(members, bytes);
  for (const name of names) {
    const member = members[name];
    if (typeof member === 'object' && member !== null) members[name] = unmark(member, bytes);
  }
  return members;
}

function renamed(members: Members, bytes: Uint8Array): Fields {
  const entries = Object.entries(members).map(([name, member]) => [
    name.startsWith(MARK) ? name.slice(1) : name,
    unmark(member, bytes),
  ]);
  return Object.fromEntries(entries) as Fields;
}

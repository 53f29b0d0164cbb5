import type { DocumentSnapshot } from '@google-cloud/firestore';
import type { Fields, Row, Value, Version } from '../../ports/backend.ts';
import { Fault, Unreadable } from '../../ports/faults.ts';
import { isList } from '../../store/limits.ts';

/** google.firestore.v1.Value, as far as this store goes. */
export type ProtoValue =
  | { readonly nullValue: 'NULL_VALUE' }
  | { readonly booleanValue: boolean }
  | { readonly integerValue: number }
  | { readonly doubleValue: number }
  | { readonly stringValue: string }
  | { readonly bytesValue: Uint8Array }
  | { readonly arrayValue: { readonly values: readonly ProtoValue[] } }
  | { readonly mapValue: { readonly fields: ProtoFields } };
export type ProtoFields = { readonly [key: string]: ProtoValue };

/**
 * Firestore has no array directly in an array: the inner one becomes a map with this one key. A map
 * in an array that looks so already gets one more pair of brackets, so that nothing is taken for
 * something else.
 */
const NESTED = '[]';
const BRACKETS = /^(?:\[\])+$/;

/**
 * Firestore treats a write that changes nothing as no write: the update time stays, and with it the
 * version. A number that is fresh for each commit makes every write count; the top level of a
 * document has it, and no row shows it.
 */
const COMMIT = '_commit';

export function encodeDocument(fields: Fields, commit: number): ProtoFields {
  if (COMMIT in fields) throw new Fault('BadValue', 'stop', `a field can't be called ${COMMIT}`);
  return { ...encodeFields(fields), [COMMIT]: { integerValue: commit } };
}

export function encodeFields(fields: Fields): ProtoFields {
  return Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, encode(value)]));
}

function encode(value: Value): ProtoValue {
  if (value === null) return { nullValue: 'NULL_VALUE' };
  if (typeof value === 'boolean') return { booleanValue: value };
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'number') {
    const whole = Number.isSafeInteger(value) && !Object.is(value, -0);
    return whole ? { integerValue: value } : { doubleValue: value };
  }
  if (value instanceof Uint8Array) return { bytesValue: value };
  if (isList(value)) return { arrayValue: { values: value.map(encodeElement) } };
  return { mapValue: { fields: encodeFields(value) } };
}

function encodeElement(value: Value): ProtoValue {
  const element = encode(value);
  if ('arrayValue' in element) return { mapValue: { fields: { [NESTED]: element } } };
  if (!('mapValue' in element)) return element;
  const bracket = bracketOf(element.mapValue.fields);
  if (bracket === undefined) return element;
  return { mapValue: { fields: { [bracket.key + NESTED]: bracket.value } } };
}

function bracketOf<T>(map: { readonly [key: string]: T }): { key: string; value: T } | undefined {
  const [first, second] = Object.entries(map);
  if (first === undefined || second !== undefined || !BRACKETS.test(first[0])) return undefined;
  return { key: first[0], value: first[1] };
}

export function rowOf(snapshot: DocumentSnapshot): Row | undefined {
  const fields: unknown = snapshot.data();
  const updated = snapshot.updateTime;
  if (fields === undefined || updated === undefined) return undefined;
  const { path } = snapshot.ref;
  const version = versionOf(updated.seconds, updated.nanoseconds);
  const shown = Object.entries(decodeMap(fields, path)).filter(([key]) => key !== COMMIT);
  return { path, fields: Object.fromEntries(shown), version };
}

/**
 * The client counts seconds as a number, a text or a long integer of its own; each is written as
 * the same digits.
 */
export const versionOf = (seconds: unknown, nanos: number): Version =>
  `${String(seconds)}.${nanos}`;

function decodeMap(value: unknown, path: string): Fields {
  if (typeof value !== 'object' || value === null || !isPlain(value)) {
    throw new Unreadable(path, 'a value of a kind that this store never writes');
  }
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, decode(each, path)]));
}

function decode(value: unknown, path: string): Value {
  if (value === null || typeof value === 'boolean') return value;
  if (typeof value === 'number' || typeof value === 'string') return value;
  if (value instanceof Uint8Array) {
    return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  }
  if (Array.isArray(value)) return value.map((each) => decodeElement(each, path));
  return decodeMap(value, path);
}

function decodeElement(value: unknown, path: string): Value {
  const element = decode(value, path);
  if (typeof element !== 'object' || element === null) return element;
  if (element instanceof Uint8Array || isList(element)) return element;
  const bracket = bracketOf(element);
  if (bracket === undefined) return element;
  return bracket.key === NESTED
    ? bracket.value
    : { [bracket.key.slice(NESTED.length)]: bracket.value };
}

/** Timestamps, references and the like are classes. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/**
 * The update time in the protocol's form; undefined for what can't be a version of any document.
 */
export function updateTimeOf(version: Version): { seconds: string; nanos: number } | undefined {
  const parts = /^(\d+)\.(\d+)$/.exec(version);
  return parts === null ? undefined : { seconds: parts[1] ?? '', nanos: Number(parts[2]) };
}

import { fromBinary, fromJson, type JsonValue, toBinary, toJson } from '@bufbuild/protobuf';
import { fail } from '../a2a/failure.ts';
import { isJsonObject, type Json, type JsonObject, MAX_DEPTH } from '../domain/json.ts';
import { TYPES, typeNamed } from './proto-types.ts';

/** One level of JSON is up to three messages: a Struct, its entry, and the entry's value. */
const RECURSION = 3 * (MAX_DEPTH + 10);

/** The ProtoJSON of a message. Throws for bytes that are none of that type. */
export function decode(type: string, bytes: Uint8Array): JsonObject {
  const schema = typeNamed(type);
  const message = fromBinary(schema, bytes, {
    recursionLimit: RECURSION,
    readUnknownFields: false,
  });
  const json: unknown = toJson(schema, message);
  if (!isJsonObject(json)) throw new TypeError(`${type} is no object`);
  return json;
}

/**
 * The same of a message that a caller sent. A page size of 0 is none: in protobuf it is what a
 * number is that was not set, and Go's client sends it wherever its caller asks for no size.
 * Throws EdgeError.
 */
export function decodeRequest(type: string, bytes: Uint8Array): JsonObject {
  try {
    const { pageSize, ...others } = decode(type, bytes);
    return pageSize === undefined || pageSize === 0 ? others : { ...others, pageSize };
  } catch {
    throw fail('PARSE_ERROR', `The message is no ${type}.`);
  }
}

/** The bytes of a message that is given as ProtoJSON. */
export function encode(type: string, json: JsonObject): Uint8Array {
  const schema = typeNamed(type);
  const options = { recursionLimit: RECURSION, registry: TYPES };
  return toBinary(schema, fromJson(schema, wellFormed(json), options));
}

/**
 * A lone half of a surrogate pair, which JSON can carry, has no UTF-8 form: the replacement
 * character stands for it, as everywhere where text becomes bytes.
 */
function wellFormed(value: Json): JsonValue {
  if (typeof value === 'string') return value.toWellFormed();
  if (typeof value !== 'object' || value === null) return value;
  if (!isJsonObject(value)) return value.map(wellFormed);
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key.toWellFormed(), wellFormed(member)]),
  );
}

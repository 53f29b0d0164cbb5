import { z } from 'zod';
import { isJsonObject, type Json, type JsonObject } from '../domain/json.ts';
import { toJson } from './parts.ts';

/** A schema as an author writes it: zod, or JSON Schema. */
export type Schema = z.ZodType | JsonObject;

/** What a schema's values are. JSON Schema tells the compiler nothing about its members. */
export type Fitting<S extends Schema> = S extends z.ZodType ? z.output<S> : JsonObject;

/**
 * The schema that a value must fit when it is written: before defaults and transformations. Throws
 * TypeError.
 */
export function schemaOf(schema: Schema, what: string): JsonObject {
  let json: Json;
  try {
    const said = schema instanceof z.ZodType ? z.toJSONSchema(schema, { io: 'input' }) : schema;
    json = toJson(said, what);
  } catch (cause) {
    throw new TypeError(`${what} can't be written as JSON Schema`, { cause });
  }
  if (!isJsonObject(json)) throw new TypeError(`${what} can't be written as JSON Schema`);
  return json;
}

/**
 * What checks values against a schema. zod reads JSON Schema of drafts 4, 7 and 2020-12; it throws
 * for the few keywords that it can't check.
 */
export function checkerOf<S extends Schema>(schema: S): z.ZodType<Fitting<S>> {
  const checker = schema instanceof z.ZodType ? schema : z.fromJSONSchema(schemaOf(schema, 'it'));
  // What zod made of JSON Schema accepts what that schema describes.
  return checker as z.ZodType<Fitting<S>>;
}

/** What keeps a schema from being that of an object; undefined if nothing. */
export function objectProblem(schema: unknown): string | undefined {
  const rule = 'must be a zod object, or JSON Schema with type object.';
  if (!(schema instanceof z.ZodType) && !isJsonObject(schema)) return rule;
  try {
    if (schemaOf(schema, 'it')['type'] !== 'object') return rule;
    checkerOf(schema);
    return undefined;
  } catch (error) {
    const why = error instanceof TypeError && error.cause instanceof Error ? error.cause : error;
    return `can't be used: ${why instanceof Error ? why.message : 'it throws'}.`;
  }
}

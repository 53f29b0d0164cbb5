import { z } from 'zod';
import { isJsonObject, type JsonObject } from '../domain/json.ts';

/**
 * A proto message: camelCase or snake_case names, null for absent, unknown fields ignored (section
 * 5.5, 5.7).
 */
export function message<S extends z.core.$ZodLooseShape>(
  shape: S,
): z.ZodPreprocess<z.ZodObject<S>> {
  const names = Object.keys(shape).map((name): [string, string] => [name, snakeCase(name)]);
  return z.preprocess(
    (value) => (isJsonObject(value) ? known(value, names) : value),
    z.object(shape),
  );
}

function known(value: JsonObject, names: readonly (readonly [string, string])[]): object {
  const result: Record<string, unknown> = {};
  for (const [name, snake] of names) {
    const given = own(value, name) ?? own(value, snake) ?? undefined;
    if (given !== undefined) result[name] = given;
  }
  // A part's data may be null like any other JSON value (section 4.1.6), where it has nothing else.
  if (names.some(([name]) => name === 'data') && own(value, 'data') === null && !hasOther(result)) {
    result['data'] = null;
  }
  return result;
}

function own(value: JsonObject, name: string): unknown {
  return Object.hasOwn(value, name) ? value[name] : undefined;
}

function hasOther(part: Record<string, unknown>): boolean {
  return ['text', 'raw', 'url'].some((name) => part[name] !== undefined);
}

function snakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** ProtoJSON writes an int32 as a number or as a string of one. */
export function int(min: number, max: number): z.ZodPreprocess<z.ZodNumber> {
  const rule = { error: `must be an integer from ${min} to ${max}` };
  return z.preprocess(
    (value) => (typeof value === 'string' && /^-?\d{1,10}$/.test(value) ? Number(value) : value),
    z.number(rule).int(rule).min(min, rule).max(max, rule),
  );
}

export const INT32_MAX = 2 ** 31 - 1;

export const metadata = z.custom<JsonObject>(isJsonObject, 'must be an object');

export const strings = z.array(z.string().max(1_024));

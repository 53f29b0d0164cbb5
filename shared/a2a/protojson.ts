import { z } from 'zod';
import { isJsonObject } from '../domain/json.ts';

/**
 * The SDK's codec takes `{"data": null}` for a part without content, though null is a JSON value like any other
 * (section 4.1.6). It passes data on by reference, so this object stands for null between our parser and our mapper.
 */
export const NULL_DATA: object = Object.freeze({});

/** A proto message: camelCase or snake_case names, null for absent, unknown fields ignored (section 5.5, 5.7). */
export function message<S extends z.core.$ZodLooseShape>(
  shape: S,
): z.ZodPreprocess<z.ZodObject<S>> {
  const names = Object.keys(shape);
  return z.preprocess(
    (value) => (isJsonObject(value) ? known(value, names) : value),
    z.object(shape),
  );
}

function known(value: object, names: readonly string[]): Record<string, unknown> {
  const given = new Map<string, unknown>(Object.entries(value));
  const entries = names.map((name): [string, unknown] => [
    name,
    given.get(name) ?? given.get(snakeCase(name)) ?? undefined,
  ]);
  const nullData = names.includes('data') && given.get('data') === null;
  const result = Object.fromEntries(entries.filter(([, each]) => each !== undefined));
  return nullData && !hasOther(result) ? { ...result, data: NULL_DATA } : result;
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

export const metadata = z.custom<Record<string, unknown>>(isJsonObject, 'must be an object');

export const strings = z.array(z.string().max(1_024));

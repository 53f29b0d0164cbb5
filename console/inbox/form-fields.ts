/** A field of a form that is made from a JSON Schema. */
export interface Field {
  readonly name: string;
  readonly title: string;
  readonly help: string;
  readonly required: boolean;
  readonly kind: 'text' | 'number' | 'integer' | 'boolean' | 'choice' | 'json';
  /** Of a choice: each value as JSON. */
  readonly choices?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
}

/** What was made of what a person has filled in. */
export type Filled =
  | { readonly kind: 'data'; readonly data: unknown }
  | { readonly kind: 'problem'; readonly field: string; readonly words: string };

type Schema = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
const numberIn = (schema: Schema, ...names: readonly string[]): number | undefined =>
  names.map((name) => schema[name]).find((value) => typeof value === 'number');

/**
 * The fields of an object's schema, one for each property; undefined for any other schema, which is
 * filled in as JSON. The server checks the whole schema: a form only helps to fit it.
 */
export function fieldsOf(schema: unknown): readonly Field[] | undefined {
  if (!isObject(schema) || schema['type'] !== 'object') return undefined;
  const { properties, required } = schema;
  if (!isObject(properties) || Object.keys(properties).length === 0) return undefined;
  const needed: readonly unknown[] = Array.isArray(required) ? required : [];
  return Object.entries(properties).map(([name, property]) =>
    fieldOf(name, isObject(property) ? property : {}, needed.includes(name)),
  );
}

function fieldOf(name: string, schema: Schema, required: boolean): Field {
  const minimum = numberIn(schema, 'minimum', 'exclusiveMinimum');
  const maximum = numberIn(schema, 'maximum', 'exclusiveMaximum');
  const maxLength = numberIn(schema, 'maxLength');
  const choices = choicesOf(schema);
  return {
    name,
    title: textOf(schema['title']) || name,
    help: [textOf(schema['description']), boundsOf(schema)].filter(Boolean).join(' '),
    required,
    kind: choices === undefined ? kindOf(schema['type']) : 'choice',
    ...(choices !== undefined && { choices }),
    ...(minimum !== undefined && { minimum }),
    ...(maximum !== undefined && { maximum }),
    ...(maxLength !== undefined && { maxLength }),
  };
}

function choicesOf({ const: only, enum: several }: Schema): readonly string[] | undefined {
  if (Array.isArray(several)) return several.map((value) => JSON.stringify(value));
  return only === undefined ? undefined : [JSON.stringify(only)];
}

function kindOf(type: unknown): Field['kind'] {
  if (type === 'string') return 'text';
  return type === 'number' || type === 'integer' || type === 'boolean' ? type : 'json';
}

function boundsOf(schema: Schema): string {
  const bounds = [
    ['at least', schema['minimum']],
    ['more than', schema['exclusiveMinimum']],
    ['at most', schema['maximum']],
    ['less than', schema['exclusiveMaximum']],
  ].flatMap(([words, bound]) => (typeof bound === 'number' ? [`${String(words)} ${bound}`] : []));
  return bounds.join(', ');
}

/** The object that a person has filled in; an empty field that is not required is left out. */
export function filled(
  fields: readonly Field[],
  entered: Readonly<Record<string, string>>,
): Filled {
  const data: Record<string, unknown> = {};
  for (const field of fields) {
    const text = entered[field.name] ?? '';
    if (text.trim() === '') {
      if (field.required && field.kind !== 'text')
        return { kind: 'problem', field: field.name, words: `${field.title} is needed.` };
      if (field.required) data[field.name] = text;
      continue;
    }
    const value = valueOf(field, text);
    if (value === undefined) return { kind: 'problem', field: field.name, words: problemOf(field) };
    data[field.name] = value;
  }
  return { kind: 'data', data };
}

function valueOf({ kind }: Field, text: string): unknown {
  if (kind === 'text') return text;
  if (kind === 'number' || kind === 'integer') {
    const number = Number(text);
    if (!Number.isFinite(number) || (kind === 'integer' && !Number.isInteger(number)))
      return undefined;
    return number;
  }
  return jsonIn(text);
}

/** Undefined for what is no JSON, which no JSON is. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function problemOf({ kind, title }: Field): string {
  if (kind === 'number') return `${title} must be a number.`;
  return kind === 'integer' ? `${title} must be a whole number.` : `${title} must be JSON.`;
}

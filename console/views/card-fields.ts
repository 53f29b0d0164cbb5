/** Fields of a document whose shape only its protocol says: what is otherwise is not there. */

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export function textIn(fields: Fields, name: string): string | undefined {
  const value = fields[name];
  return typeof value === 'string' ? value : undefined;
}

export function recordIn(fields: Fields, name: string): Fields | undefined {
  const value = fields[name];
  return isFields(value) ? value : undefined;
}

export function listIn(fields: Fields, name: string): readonly Fields[] {
  const value = fields[name];
  return Array.isArray(value) ? value.filter(isFields) : [];
}

export function textsIn(fields: Fields, name: string): readonly string[] {
  const value = fields[name];
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
}

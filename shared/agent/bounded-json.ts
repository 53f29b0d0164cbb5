import type { Json } from '../domain/json.ts';
import { toJson } from './parts.ts';

/** Deeper, and reading it again could exhaust the stack. */
const DEPTH = 64;
const VALUES = 200_000;

/**
 * A copy of a value from outside as JSON of a bounded size. Throws TypeError that says what is
 * wrong with it.
 */
export function boundedJson(value: unknown, what: string, bytes: number): Json {
  measure(value, what, { values: VALUES }, DEPTH);
  const json = toJson(value, what);
  const size = Buffer.byteLength(JSON.stringify(json));
  if (size > bytes) throw new TypeError(`${what} has ${size} bytes; the limit is ${bytes}`);
  return json;
}

/** Ends also for what refers to itself. */
function measure(value: unknown, what: string, left: { values: number }, depth: number): void {
  if ((left.values -= 1) < 0) throw new TypeError(`${what} has over ${VALUES} values`);
  if (typeof value !== 'object' || value === null) return;
  if (depth === 0) throw new TypeError(`${what} is nested over ${DEPTH} deep`);
  for (const member of Object.values(value)) measure(member, what, left, depth - 1);
}

import type { Fields, Value, Write } from '../ports/backend.ts';
import { Fault, TooLarge } from '../ports/faults.ts';

/**
 * Firestore's limits hold in every backend: what fits on one machine must fit when it is deployed.
 * A commit may be far larger there (10 MiB); the lower limit leaves room for its encoding
 * (docs/architecture.md#transactions).
 */
export const DOCUMENT_LIMIT = 1_048_487;
export const COMMIT_LIMIT = 3.5 * 1024 * 1024;
const DEPTH_LIMIT = 20;
const KEY_LIMIT = 1_500;
const RESERVED = /^__.*__$/;

/**
 * What a document takes, by Firestore's own rules
 * (https://firebase.google.com/docs/firestore/storage-size).
 */
export interface Measure {
  readonly size: number;
  /** How many values are bytes, and how long they are together. */
  readonly blobs: number;
  readonly blobBytes: number;
}

/**
 * Measures each write's document (`undefined` for a deletion); refuses what is no stored value, or
 * too large.
 */
export function measureWrites(writes: readonly Write[]): readonly (Measure | undefined)[] {
  let total = 0;
  const measures = writes.map(({ path, fields }) => {
    if (fields === undefined) return undefined;
    const measure = measureDocument(path, fields);
    if (measure.size > DOCUMENT_LIMIT) {
      throw new TooLarge(`a document of ${path.split('/').at(-2)}`, measure.size, DOCUMENT_LIMIT);
    }
    total += measure.size;
    return measure;
  });
  if (total > COMMIT_LIMIT) throw new TooLarge('a commit', total, COMMIT_LIMIT);
  return measures;
}

export function measureDocument(path: string, fields: Fields): Measure {
  // 16 for the name and 1 for each of its segments, 32 for the document.
  const name = Buffer.byteLength(path) + 1 + 16;
  const gauge = new Gauge();
  gauge.add(fields, 0);
  return { size: name + gauge.size, blobs: gauge.blobs, blobBytes: gauge.blobBytes };
}

class Gauge implements Measure {
  size = 0;
  blobs = 0;
  blobBytes = 0;

  add(value: Value, depth: number): void {
    if (typeof value === 'string') this.size += Buffer.byteLength(value) + 1;
    else if (typeof value === 'number') {
      if (!Number.isFinite(value)) throw badValue('a number that is not finite');
      this.size += 8;
    } else if (value === null || typeof value === 'boolean') this.size += 1;
    else if (value instanceof Uint8Array) {
      this.size += value.byteLength;
      this.blobs += 1;
      this.blobBytes += value.byteLength;
    } else if (typeof value === 'object') this.#addNested(value, depth + 1);
    else throw badValue(`a value of type ${typeof value}`);
  }

  #addNested(value: readonly Value[] | Fields, depth: number): void {
    if (depth > DEPTH_LIMIT) throw badValue(`values nested over ${DEPTH_LIMIT} deep`);
    if (isList(value)) {
      for (const item of value) this.add(item, depth);
      return;
    }
    const prototype: unknown = Object.getPrototypeOf(value);
    if (prototype !== Object.prototype && prototype !== null)
      throw badValue('an object of a class');
    this.size += 32;
    for (const key of Object.keys(value)) {
      this.size += (lengths.get(key) ?? lengthOf(key)) + 1;
      this.add(value[key] as Value, depth);
    }
  }
}

/** Of the names that documents of ours have: few, and in each document again. */
const lengths = new Map<string, number>();
const LENGTHS = 1_000;

function lengthOf(key: string): number {
  const length = Buffer.byteLength(key);
  if (length === 0 || length > KEY_LIMIT || RESERVED.test(key))
    throw badValue('a reserved field name');
  if (lengths.size < LENGTHS && length < 64) lengths.set(key, length);
  return length;
}

/** Array.isArray does not narrow a readonly array. */
export function isList(value: Value): value is readonly Value[] {
  return Array.isArray(value);
}

function badValue(what: string): Fault {
  return new Fault('BadValue', 'stop', `a document can't hold ${what}`);
}

import { checksumsOf, verifyChecksums } from './checksums.ts';
import { applyChange, type Given, type Settable, type StoredObject } from './object.ts';
import { requireConditions } from './preconditions.ts';
import { invalid, notFound, Refusal } from './refusal.ts';

/**
 * What one bucket holds: of each name its generations, oldest first; the last one is live unless it
 * was replaced.
 */
export interface Bucket {
  versioning: boolean;
  readonly objects: Map<string, StoredObject[]>;
}

interface Composition {
  readonly components?: number;
}

/**
 * The objects of all buckets, in memory. Everything happens in one turn, so it is as consistent as
 * the service (https://cloud.google.com/storage/docs/consistency). Not emulated: soft delete (a
 * deleted generation is gone at once), holds, retention, lifecycle, encryption keys, access
 * control.
 */
export class Buckets {
  readonly #buckets = new Map<string, Bucket>();
  /** Generations rise across all objects; the service's are microseconds, too. */
  #generation = Date.now() * 1_000;

  create(name: string, versioning = false): Bucket {
    if (this.#buckets.has(name)) throw new Refusal(409, 'conflict', 'You already own this bucket.');
    const bucket: Bucket = { versioning, objects: new Map() };
    this.#buckets.set(name, bucket);
    return bucket;
  }

  get(name: string): Bucket {
    const bucket = this.#buckets.get(name);
    if (bucket === undefined) throw notFound('The specified bucket does not exist.');
    return bucket;
  }

  live(bucket: string, name: string): StoredObject | undefined {
    const last = this.get(bucket).objects.get(name)?.at(-1);
    return last?.replaced === undefined ? last : undefined;
  }

  /** The live generation, or the one asked for. */
  find(bucket: string, name: string, generation?: number): StoredObject {
    const found =
      generation === undefined
        ? this.live(bucket, name)
        : this.get(bucket)
            .objects.get(name)
            ?.find((each) => each.generation === generation);
    if (found === undefined) throw notFound(`No such object: ${bucket}/${name}`);
    return found;
  }

  /** The name's rules are those of https://cloud.google.com/storage/docs/objects#naming. */
  write(
    bucket: string,
    name: string,
    body: Buffer,
    given: Given,
    query: URLSearchParams,
    composition: Composition = {},
  ): StoredObject {
    const length = Buffer.byteLength(name);
    if (length < 1 || length > 1024 || /[\r\n]/.test(name) || name === '.' || name === '..') {
      throw invalid('Invalid object name');
    }
    requireConditions(this.live(bucket, name), query);
    const checksums = checksumsOf(body);
    verifyChecksums(given, checksums);
    const now = new Date().toISOString();
    this.#generation += 1;
    const object: StoredObject = {
      ...checksums,
      ...composition,
      bucket,
      name,
      body,
      generation: this.#generation,
      metageneration: 1,
      created: now,
      updated: now,
      settable: applyChange({}, given, 'put'),
    };
    this.#retire(bucket, name);
    const { objects } = this.get(bucket);
    objects.set(name, [...(objects.get(name) ?? []), object]);
    return object;
  }

  /** Metadata changes in place: same generation, next metageneration. */
  change(object: StoredObject, change: Settable, how: 'patch' | 'put'): StoredObject {
    const next: StoredObject = {
      ...object,
      metageneration: object.metageneration + 1,
      updated: new Date().toISOString(),
      settable: applyChange(object.settable, change, how),
    };
    const generations = this.get(object.bucket).objects.get(object.name) ?? [];
    generations.splice(generations.indexOf(object), 1, next);
    return next;
  }

  /**
   * Without a generation the live object goes: with versioning it becomes noncurrent. With a
   * generation just that one goes, for good
   * (https://cloud.google.com/storage/docs/object-versioning).
   */
  delete(object: StoredObject, permanently: boolean): void {
    if (!permanently) return this.#retire(object.bucket, object.name);
    const { objects } = this.get(object.bucket);
    const rest = (objects.get(object.name) ?? []).filter((each) => each !== object);
    if (rest.length === 0) objects.delete(object.name);
    else objects.set(object.name, rest);
  }

  #retire(bucket: string, name: string): void {
    const live = this.live(bucket, name);
    if (live === undefined) return;
    const { objects, versioning } = this.get(bucket);
    const rest = (objects.get(name) ?? []).filter((each) => each !== live);
    if (versioning) rest.push({ ...live, replaced: new Date().toISOString() });
    if (rest.length === 0) objects.delete(name);
    else objects.set(name, rest);
  }
}

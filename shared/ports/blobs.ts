import type { Millis } from '../domain/brand.ts';

/** Changes with each write of an object; opaque. */
export type Generation = string & Record<never, never>;

export interface Blob {
  readonly body: Uint8Array;
  readonly contentType: string;
  readonly generation: Generation;
  readonly metadata: Readonly<Record<string, string>>;
}

/** Some of an object's bytes; what lies beyond its end is left out. */
export interface ByteRange {
  /** The first byte, counted from 0. */
  readonly offset: number;
  /** How many bytes, 1 or more; without it, up to the end. */
  readonly length?: number;
}

export interface BlobStream {
  /** Of the whole object in bytes, whatever range was asked for. */
  readonly size: number;
  /**
   * All of one generation, in pieces of at most 1 MiB. To be iterated once, to the end or to a
   * `break`: until then the object stays open. Throws Unavailable where it breaks off.
   */
  readonly body: AsyncIterable<Uint8Array>;
}

export interface BlobWrite {
  readonly contentType: string;
  readonly metadata?: Readonly<Record<string, string>>;
  /** One of very many that are small: a folder keeps them together, with no file for each. */
  readonly small?: boolean;
  /** The generation that the object must have now; `absent` = it must not exist. */
  readonly expect: Generation | 'absent';
}

/** `stale`: the expectation did not hold, and nothing was written. */
export type BlobWritten = { readonly generation: Generation } | 'stale';

/** What a listing tells of an object. */
export interface BlobEntry {
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  /** When this generation was written, by the clock of the storage. */
  readonly createdAt: Millis;
}

/**
 * Objects by name. A name is `/`-separated segments, each 1 to 255 bytes and none of them `.` or
 * `..`; a write is atomic: a reader sees the old object or the new one. Throws Unavailable.
 */
export interface Blobs {
  get(name: string): Promise<Blob | undefined>;
  /** The body as a stream; memory does not grow with it. */
  getStream(name: string, range?: ByteRange): Promise<BlobStream | undefined>;
  /** Writes if the expectation holds, and answers the new generation. */
  put(name: string, body: Uint8Array, write: BlobWrite): Promise<BlobWritten>;
  /**
   * The same with a body that is read while it is written; memory does not grow with it. An error
   * of the body is thrown as it is, and nothing is written. A body can't be read twice, so the
   * caller repeats a write that was Unavailable; it may have happened.
   */
  putStream(name: string, body: AsyncIterable<Uint8Array>, write: BlobWrite): Promise<BlobWritten>;
  /** Deletes the object with all its generations. Deleting what is not there is success. */
  delete(name: string): Promise<void>;
  /** Objects whose names start with the prefix, in binary order, after `after`, at most `limit`. */
  list(prefix: string, limit: number, after?: string): Promise<readonly BlobEntry[]>;
}

/** Changes with each write of an object; opaque. */
export type Generation = string & Record<never, never>;

export interface Blob {
  readonly body: Uint8Array;
  readonly contentType: string;
  readonly generation: Generation;
  readonly metadata: Readonly<Record<string, string>>;
}

export interface BlobWrite {
  readonly contentType: string;
  readonly metadata?: Readonly<Record<string, string>>;
  /** The generation that the object must have now; `absent` = it must not exist. */
  readonly expect: Generation | 'absent';
}

/**
 * Objects by name. A name is `/`-separated segments, each 1 to 255 bytes and none of them `.` or
 * `..`; a write is atomic: a reader sees the old object or the new one. Throws Unavailable.
 */
export interface Blobs {
  get(name: string): Promise<Blob | undefined>;
  /**
   * Writes if the expectation holds, and answers the new generation; otherwise answers `stale` and
   * writes nothing.
   */
  put(
    name: string,
    body: Uint8Array,
    write: BlobWrite,
  ): Promise<{ readonly generation: Generation } | 'stale'>;
  /** Deletes the object with all its generations. Deleting what is not there is success. */
  delete(name: string): Promise<void>;
  /** Names that start with the prefix, in binary order, after `after`, at most `limit`. */
  list(prefix: string, limit: number, after?: string): Promise<readonly string[]>;
}

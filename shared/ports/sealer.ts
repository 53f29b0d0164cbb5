/** A data key in memory (32 bytes), and the form in which its row keeps it. */
export interface DataKey {
  readonly plain: Uint8Array;
  readonly wrapped: Uint8Array;
}

/** Wraps data keys. The keys' use (AES-256-GCM) is the application's; this port is a key service (architecture section 7). */
export interface Sealer {
  /** A fresh random data key. Throws Unavailable. */
  newKey(): Promise<DataKey>;
  /** Throws Unreadable for a key that this service can't open, Unavailable when it does not answer. */
  unwrap(wrapped: Uint8Array): Promise<Uint8Array>;
  /**
   * The same data key under the service's newest key; undefined when it is wrapped by that one already. Throws Unreadable,
   * Unavailable.
   */
  rewrap(wrapped: Uint8Array): Promise<Uint8Array | undefined>;
}

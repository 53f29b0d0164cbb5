/** A data key in memory (32 bytes), and the form in which its row keeps it. */
export interface DataKey {
  readonly plain: Uint8Array;
  readonly wrapped: Uint8Array;
}

export type Rewrapping =
  | { readonly kind: 'current' | 'old' }
  | { readonly kind: 'rewrapped'; readonly wrapped: Uint8Array };

/**
 * Wraps data keys. The keys' use (AES-256-GCM) is the application's; this port is a key service.
 * `owner` names whose data key it is and is authenticated with the wrapping: put into another's
 * row, it does not open.
 */
export interface Sealer {
  /**
   * The keys at hand by names that people know them by, never the keys: the one that wraps first.
   * Throws Unavailable.
   */
  keyNames(): Promise<readonly string[]>;
  /** A fresh random data key. Throws KeyMissing, Unavailable. */
  newKey(owner: string): Promise<DataKey>;
  /**
   * Throws KeyMissing for what a key wrapped that is not at hand; Unreadable for what a known key
   * did not wrap for that owner, or a key that is destroyed for good; Unavailable when the service
   * does not answer.
   */
  unwrap(wrapped: Uint8Array, owner: string): Promise<Uint8Array>;
  /**
   * The same data key under the service's newest key; `current` when that one wrapped it already,
   * `old` while the service still wraps with an older one than it should: a rotation takes a while
   * to be known everywhere. `atLeast` is the version of the key that is wanted, for a service that
   * numbers them. Throws as `unwrap` does.
   */
  rewrap(wrapped: Uint8Array, owner: string, atLeast?: number): Promise<Rewrapping>;
}

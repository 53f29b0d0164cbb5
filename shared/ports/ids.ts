/** Randomness. */
export interface Ids {
  /** A version 4 UUID. */
  uuid(): string;
  /** 128 random bits as text. */
  token(): string;
  bytes(count: number): Uint8Array;
  /** 0 <= n < 1; for jitter only. */
  random(): number;
}

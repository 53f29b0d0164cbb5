/** Randomness. */
export interface Ids {
  /** A UUID: of version 4, or of 7 where rows are better off in the order of time. */
  uuid(): string;
  /** 128 random bits as text. */
  token(): string;
  bytes(count: number): Uint8Array;
  /** 0 <= n < 1; for jitter only. */
  random(): number;
}

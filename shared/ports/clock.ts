import type { Millis } from '../domain/brand.ts';

export interface Clock {
  now(): Millis;
  /** Resolves after that span, or early and without fault when the signal aborts. */
  sleep(span: Millis, signal?: AbortSignal): Promise<void>;
  /** Calls back once after that span; the answer cancels it. */
  after(span: Millis, callback: () => void): () => void;
}

import type { Millis } from '../../shared/domain/brand.ts';

/**
 * Names as in google/cloud/tasks/v2/queue.proto, RateLimits and RetryConfig; spans in milliseconds.
 */
export interface QueueConfig {
  readonly maxDispatchesPerSecond: number;
  readonly maxConcurrentDispatches: number;
  /** -1 is without limit. */
  readonly maxAttempts: number;
  /** 0 is without limit. */
  readonly maxRetryDuration: Millis;
  readonly minBackoff: Millis;
  readonly maxBackoff: Millis;
  readonly maxDoublings: number;
}

/**
 * What the service picks
 * (https://cloud.google.com/tasks/docs/reference/rest/v2/projects.locations.queues).
 */
export const DEFAULTS: QueueConfig = {
  maxDispatchesPerSecond: 500,
  maxConcurrentDispatches: 1_000,
  maxAttempts: 100,
  maxRetryDuration: 0,
  minBackoff: 100,
  maxBackoff: 3_600_000,
  maxDoublings: 16,
};

/** Picked by the service; 100 at the full rate. */
export function burstOf({ maxDispatchesPerSecond }: QueueConfig): number {
  return Math.max(1, Math.min(100, Math.ceil(maxDispatchesPerSecond / 5)));
}

/**
 * The pause after that many attempts: doubles `maxDoublings` times, then grows by the last step, up
 * to `maxBackoff`. The proto's example: 10 s, 300 s and 3 give 10, 20, 40, 80, 160, 240, 300, 300
 * seconds.
 */
export function backoffAfter(config: QueueConfig, attempts: number): Millis {
  const { minBackoff, maxBackoff, maxDoublings } = config;
  const doublings = Math.min(attempts - 1, maxDoublings);
  const step = minBackoff * 2 ** doublings;
  return Math.min(maxBackoff, step * (1 + attempts - 1 - doublings));
}

/** No more attempts: both limits must be passed (RetryConfig.max_retry_duration). */
export function isExhausted(config: QueueConfig, attempts: number, sinceFirst: Millis): boolean {
  const { maxAttempts, maxRetryDuration } = config;
  return maxAttempts !== -1 && attempts >= maxAttempts && sinceFirst >= maxRetryDuration;
}

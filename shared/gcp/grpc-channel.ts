import type { Millis } from '../domain/brand.ts';

export interface Keepalive {
  /**
   * A connection that has carried nothing for so long is pinged at the next call.
   */
  readonly after: Millis;
  /** Without an answer for so long it is dropped, and its calls fail. */
  readonly wait: Millis;
}

/**
 * Google's front ends take a ping each 30 s, and not one each 10 s
 * (https://github.com/googleapis/java-bigtable/pull/528). The wait is half of a call's deadline:
 * the call after a thaw fails early enough for its transaction to be tried again.
 */
const KEEPALIVE: Keepalive = { after: 30_000, wait: 2_500 };

/**
 * How a gRPC channel notices that its connection is gone. By default it never asks, and learns of
 * it from TCP minutes later.
 */
export function channelOptions({ after, wait }: Keepalive = KEEPALIVE) {
  return {
    // A client that takes another's place has connections of its own, also while the other's calls
    // end.
    'grpc.use_local_subchannel_pool': 1,
    'grpc.keepalive_time_ms': after,
    'grpc.keepalive_timeout_ms': wait,
    // It waits longer after each connection that failed, up to two minutes: a service that is back
    // would seem away for as long again as it was
    // (https://github.com/grpc/grpc/blob/master/doc/connection-backoff.md).
    'grpc.max_reconnect_backoff_ms': 2_000,
  } as const;
}

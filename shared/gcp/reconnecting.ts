/**
 * gRPC waits longer after each connection that failed, up to two minutes: a service that is back would seem away for as long
 * again as it was (https://github.com/grpc/grpc/blob/master/doc/connection-backoff.md).
 */
export const RECONNECTING = { 'grpc.max_reconnect_backoff_ms': 2_000 } as const;

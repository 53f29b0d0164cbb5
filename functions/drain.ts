import http, { type RequestListener, type Server } from 'node:http';
import type { Clock } from '../shared/ports/clock.ts';

export interface DrainOptions {
  readonly clock: Clock;
  /** Aborted on SIGTERM: the app then ends its streams, and hands its segments back. */
  readonly closing: AbortController;
  /** Exit after this long, whatever is still open. Cloud Run kills 10 s after SIGTERM. */
  readonly grace?: number;
  /** What is done before it goes, within a moment. */
  readonly last?: () => Promise<void>;
}

const GRACE = 9_000;
/**
 * Longer than the 600 s for which Google's load balancers keep a connection, so that none is reused
 * just when this side closes it (https://cloud.google.com/load-balancing/docs/https).
 */
const KEEP_ALIVE = 620_000;
const IDLE_SWEEP = 50;

/**
 * Has the one server that the framework makes end as planned when the process is asked to stop. The
 * framework alone exits within milliseconds of SIGTERM, in the middle of whatever is under way.
 */
export function drainTheServer(
  options: DrainOptions,
  make: (listener: RequestListener | undefined, create: typeof http.createServer) => Server = (
    listener,
    create,
  ) => (listener === undefined ? create() : create(listener)),
): void {
  const create = http.createServer;
  const createOurs = (...given: readonly unknown[]): Server => {
    http.createServer = create;
    const server = make(given.find(isListener), create);
    server.keepAliveTimeout = KEEP_ALIVE;
    server.once('listening', () => {
      // The framework adds its signal handlers in its own listener, which runs after this one.
      queueMicrotask(() => {
        endOnSignals(options, (ended) => closeServer(server, options.clock, ended));
      });
    });
    return server;
  };
  http.createServer = createOurs;
}

function isListener(value: unknown): value is RequestListener {
  return typeof value === 'function';
}

/**
 * Ends as planned when the process is asked to stop, in the place of the
 * framework, which exits at once. `close` takes nothing new, lets what is open end, and calls back.
 */
export function endOnSignals(
  { clock, closing, grace = GRACE, last }: DrainOptions,
  close: (ended: () => void) => void,
): void {
  const exit = () => void Promise.resolve(last?.()).finally(() => process.exit(0));
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.removeAllListeners(signal);
    process.once(signal, () => {
      close(exit);
      clock.after(grace, exit);
      closing.abort();
    });
  }
}

function closeServer(server: Server, clock: Clock, ended: () => void): void {
  server.close(ended);
  // A connection that falls idle only now would hold the exit for its whole keep-alive time.
  const sweep = () => {
    server.closeIdleConnections();
    clock.after(IDLE_SWEEP, sweep);
  };
  sweep();
}

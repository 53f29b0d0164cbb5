import http, { type RequestListener, type Server } from 'node:http';
import { http as register } from '@google-cloud/functions-framework';
import { httpServer } from '../../shared/http/server.ts';
import type { Clock } from '../../shared/ports/clock.ts';

export interface FrontOptions {
  readonly clock: Clock;
  /** Aborted on SIGTERM: the app then ends its streams as planned. */
  readonly closing: AbortController;
  /** Exit after this long, whatever is still open. Cloud Run kills 10 s after SIGTERM. */
  readonly grace?: number;
  /** What is done before it goes, within a moment. */
  readonly last?: () => Promise<void>;
}

const GRACE = 9_000;
const IDLE_SWEEP = 50;

/**
 * Publishes an app under the unchanged functions-framework command. The framework reads every body before the function is
 * called (HTML for malformed JSON, a Buffer for application/a2a+json, a limit of 1 GiB) and exits within milliseconds of
 * SIGTERM, in the middle of open streams. So the one server that it makes serves our app itself, and closes our way.
 */
export function serveAsFunction(name: string, app: RequestListener, options: FrontOptions): void {
  // For the framework's own look-up, which fails on an unknown target; its copy of the route is never reached.
  register(name, app);
  const create = http.createServer;
  const createOurs = (): Server => {
    http.createServer = create;
    const server = httpServer(app, create);
    server.once('listening', () => {
      // The framework adds its signal handlers in its own listener, which runs after this one.
      queueMicrotask(() => {
        drainOnSignals(server, options);
      });
    });
    return server;
  };
  http.createServer = createOurs;
}

function drainOnSignals(server: Server, options: FrontOptions): void {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.removeAllListeners(signal);
    process.once(signal, () => {
      drain(server, options);
    });
  }
}

/** Takes no new connection, lets what is open end, and goes. */
function drain(server: Server, { clock, closing, grace = GRACE, last }: FrontOptions): void {
  const exit = () => void Promise.resolve(last?.()).finally(() => process.exit(0));
  server.close(exit);
  clock.after(grace, exit);
  closing.abort();
  // A connection that falls idle only now would hold the exit for its whole keep-alive time.
  const sweep = () => {
    server.closeIdleConnections();
    clock.after(IDLE_SWEEP, sweep);
  };
  sweep();
}

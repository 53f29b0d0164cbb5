import { createServer, type ServerHttp2Session } from 'node:http2';
import type { Socket } from 'node:net';
import type { Clock } from '../ports/clock.ts';
import type { ServeStream } from './grpc-app.ts';

const KiB = 1024;
const SETTINGS = {
  maxConcurrentStreams: 100,
  /** As Node has it for HTTP/1.1. */
  maxHeaderListSize: 16 * KiB,
  initialWindowSize: 1024 * KiB,
};
/** MiB that one connection may queue; a task is at most half of it. */
const SESSION_MEMORY = 64;

export interface GrpcServer {
  /** Takes a connection that another server accepted. */
  connect(socket: Socket): void;
  /** Takes connections at a port of every address. */
  listen(port: number, listening: () => void): void;
  /** Takes no new connection; `ended` once the open calls have ended. */
  close(ended: () => void): void;
  /** Lets open calls end, and takes no new one. */
  drain(): void;
  /** Ends every connection at once. */
  destroy(): void;
}

/**
 * HTTP/2 without TLS, which whatever stands in front ends. A connection whose other side does not
 * answer a ping within `heartbeat` is gone, with the streams on it.
 */
export function grpcServer(
  serve: ServeStream,
  { clock, heartbeat }: { readonly clock: Clock; readonly heartbeat: number },
): GrpcServer {
  const sessions = new Set<ServerHttp2Session>();
  const server = createServer({ settings: SETTINGS, maxSessionMemory: SESSION_MEMORY });
  server.on('stream', serve);
  server.on('session', (session) => {
    sessions.add(session);
    const stop = keepAsking(session, clock, heartbeat);
    session.once('close', () => {
      stop();
      sessions.delete(session);
    });
    // It ends the connection by itself; a client that breaks the protocol is no event of ours.
    session.on('error', () => undefined);
  });
  server.on('sessionError', () => undefined);
  const drain = (): void => {
    for (const session of sessions) session.close();
  };
  return {
    connect(socket) {
      socket.on('error', () => undefined);
      server.emit('connection', socket);
    },
    listen(port, listening) {
      server.listen(port, listening);
    },
    close(ended) {
      server.close(ended);
      drain();
    },
    drain,
    destroy() {
      for (const session of sessions) session.destroy();
    },
  };
}

/** Pings in regular intervals; answers how to stop that. */
function keepAsking(session: ServerHttp2Session, clock: Clock, heartbeat: number): () => void {
  let answered = true;
  let cancel = (): void => undefined;
  const ask = (): void => {
    if (session.destroyed) return;
    if (!answered) {
      session.destroy();
      return;
    }
    answered = false;
    session.ping(() => {
      answered = true;
    });
    cancel = clock.after(heartbeat, ask);
  };
  cancel = clock.after(heartbeat, ask);
  return () => cancel();
}

import { createServer, type Socket } from 'node:net';
import type { A2AAppOptions } from '../../shared/a2a/app.ts';
import type { GrpcPlace } from '../../shared/a2a/base-url.ts';
import { faultName } from '../../shared/app/wake-up.ts';
import type { GrpcServer } from '../../shared/grpc/grpc-server.ts';
import { BadConfiguration } from '../settings.ts';
import type { StartOptions } from './arguments.ts';
import { listen } from './listen.ts';

export interface Grpc {
  /** Host and port. */
  readonly address: string;
  /** What the card says of it. */
  readonly place: GrpcPlace;
  /** Takes connections. */
  open(edge: A2AAppOptions): void;
  /** Takes no new call; the open ones end by themselves. */
  drain(): void;
  stop(): void;
}

/**
 * Listens for gRPC where that is asked for: a card names all that is served, and some clients take
 * no card that names it (decision 0070). Throws BadConfiguration for an address without a port.
 */
export async function listenForGrpc(options: StartOptions): Promise<Grpc | undefined> {
  const { grpcPort, grpcUrl, host } = options;
  if (grpcPort === undefined && grpcUrl !== undefined) {
    throw new BadConfiguration(
      '--grpc-url needs --grpc-port: it says where clients reach gRPC, and gRPC is served only on a port that is named',
    );
  }
  if (grpcPort === undefined) return undefined;
  const server = createServer();
  const url = await listen(server, grpcPort, host, 'grpc-port');
  // A start that fails later ends by itself; the HTTP server is what keeps the process going.
  server.unref();
  const { host: address, port: taken } = new URL(url);
  const loaded = new LazyServer();
  return {
    address,
    place: grpcUrl === undefined ? { port: Number(taken) } : { url: grpcUrl },
    open(edge) {
      server.on('connection', (socket) => loaded.connect(socket, edge));
    },
    drain() {
      server.close();
      loaded.drain();
    },
    stop: () => loaded.destroy(),
  };
}

/**
 * The server behind the port, loaded with the first connection: most starts never meet one, and
 * each would wait for its modules.
 */
class LazyServer {
  #loading: Promise<GrpcServer> | undefined;
  readonly #waiting = new Set<Socket>();

  connect(socket: Socket, edge: A2AAppOptions): void {
    this.#waiting.add(socket);
    socket.on('error', () => undefined);
    this.#loading ??= load(edge);
    this.#loading.then(
      (server) => {
        this.#waiting.delete(socket);
        if (!socket.destroyed) server.connect(socket);
      },
      (error: unknown) => {
        this.#waiting.delete(socket);
        this.#loading = undefined;
        edge.log.write('error', 'edge not loaded', { fault: faultName(error) });
        socket.destroy();
      },
    );
  }

  drain(): void {
    this.#loading?.then((server) => server.drain()).catch(() => undefined);
  }

  destroy(): void {
    for (const socket of this.#waiting) socket.destroy();
    this.#loading?.then((server) => server.destroy()).catch(() => undefined);
  }
}

async function load(edge: A2AAppOptions): Promise<GrpcServer> {
  const [{ createGrpcApp }, { grpcServer }] = await Promise.all([
    import('../../shared/grpc/grpc-app.ts'),
    import('../../shared/grpc/grpc-server.ts'),
  ]);
  const { clock, settings } = edge;
  return grpcServer(createGrpcApp(edge), { clock, heartbeat: settings.heartbeat });
}

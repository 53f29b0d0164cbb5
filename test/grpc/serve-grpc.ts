import { type AddressInfo, createServer } from 'node:net';
import type { A2AAppOptions } from '../../shared/a2a/app.ts';
import { createGrpcApp } from '../../shared/grpc/grpc-app.ts';
import { grpcServer } from '../../shared/grpc/grpc-server.ts';

export interface ServedGrpc {
  /** Host and port. */
  readonly address: string;
  /** Lets open calls end. */
  drain(): void;
  close(): void;
}

/** The gRPC binding on a port of its own. */
export async function serveGrpc(edge: A2AAppOptions): Promise<ServedGrpc> {
  const { clock, settings } = edge;
  const server = grpcServer(createGrpcApp(edge), { clock, heartbeat: settings.heartbeat });
  const listener = createServer((socket) => server.connect(socket));
  await new Promise<void>((resolve) => {
    listener.listen(0, '127.0.0.1', resolve);
  });
  const { port } = listener.address() as AddressInfo;
  return {
    address: `127.0.0.1:${port}`,
    drain() {
      listener.close();
      server.drain();
    },
    close() {
      listener.close();
      server.destroy();
    },
  };
}

import type { ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type A2AAppOptions, createA2AApp } from '../../shared/a2a/app.ts';
import type { CardFields } from '../../shared/agent/card-fields.ts';
import { defaults } from '../../shared/domain/settings.ts';
import type { LogFields, LogLevel } from '../../shared/ports/log.ts';
import { httpServer } from '../../shared/http/server.ts';
import { serveGrpc } from '../grpc/serve-grpc.ts';
import { FakeTaskService } from '../doubles/fake-task-service.ts';
import { VirtualClock } from '../../testing/virtual-clock.ts';

export const echo: CardFields = {
  name: 'echo',
  description: 'Repeats what it is told.',
  version: '1.2.3',
  defaultInputModes: ['text/plain'],
  defaultOutputModes: ['text/plain'],
  skills: [{ id: 'echo', name: 'Echo', description: 'Repeats.', tags: ['test'] }],
};

export interface LogLine {
  readonly level: LogLevel;
  readonly event: string;
  readonly fields: LogFields | undefined;
}

export interface EdgeServer {
  readonly url: string;
  /** Host and port of gRPC. */
  readonly grpc: string;
  readonly service: FakeTaskService;
  readonly clock: VirtualClock;
  readonly log: LogLine[];
  /** One for each request so far. */
  readonly responses: readonly ServerResponse[];
  close(): Promise<void>;
}

/** The edge over a fake application, on a real port. */
export async function edgeServer(options: Partial<A2AAppOptions> = {}): Promise<EdgeServer> {
  const service = new FakeTaskService();
  const clock = new VirtualClock(Date.UTC(2026, 0, 1));
  const log: LogLine[] = [];
  const edge: A2AAppOptions = {
    service,
    clock,
    settings: defaults,
    agents: [echo],
    defaultAgent: 'echo',
    log: {
      write(level, event, fields) {
        log.push({ level, event, fields });
      },
    },
    ...options,
  };
  const app = createA2AApp(edge);
  const grpc = await serveGrpc(edge);
  const responses: ServerResponse[] = [];
  const server = httpServer((req, res) => {
    responses.push(res);
    app(req, res);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  const close = async () => {
    grpc.close();
    server.closeAllConnections();
    await new Promise((resolve) => {
      server.close(resolve);
    });
  };
  return {
    url: `http://127.0.0.1:${port}`,
    grpc: grpc.address,
    service,
    clock,
    log,
    responses,
    close,
  };
}

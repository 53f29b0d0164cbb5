import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { composeApp } from '../../functions/compose.ts';
import { publish } from '../../functions/load-agents.ts';
import { createSweeping } from '../../functions/sweeping.ts';
import { type A2AAppOptions, createA2AApp } from '../../shared/a2a/app.ts';
import type { App, Idempotency } from '../../shared/app/app.ts';
import { handleWakeUp } from '../../shared/app/worker/handle-wake-up.ts';
import { createTaskService } from '../../shared/app/tasks/task-service.ts';
import { defaults, type Settings } from '../../shared/domain/settings.ts';
import { openEmbedded } from '../../shared/embedded/index.ts';
import type { Access } from '../../shared/ports/access.ts';
import type { Backend } from '../../shared/ports/backend.ts';
import { createStore } from '../../shared/store/store.ts';
import { markingRedactor } from '../doubles/marking-redactor.ts';
import { serveGrpc } from '../grpc/serve-grpc.ts';
import { alone } from '../../testing/no-remotes.ts';
import scripted from '../fixtures/agents/scripted.ts';

export interface InProcessOptions {
  readonly folder: string;
  readonly settings?: Partial<Settings>;
  /** Stands between the store and the database. */
  readonly wrap?: (backend: Backend) => Backend;
  readonly access?: (app: App) => Access;
  readonly idempotency?: Idempotency;
  /** Also speak A2A v0.3. */
  readonly v03?: boolean;
}

export interface InProcess {
  readonly url: string;
  readonly app: App;
  readonly grpc: string;
  close(): Promise<void>;
}

/** The system as functions/start composes it, in this process, for what a flag can't say. */
export async function startInProcess(options: InProcessOptions): Promise<InProcess> {
  const {
    folder,
    wrap = (backend: Backend) => backend,
    access,
    idempotency = 'always',
    v03 = false,
  } = options;
  const settings = { ...defaults, progressInterval: 30, progressDelay: 10, ...options.settings };
  const log = { write: () => undefined };
  const embedded = openEmbedded({ folder, settings, log });
  const { clock, ids } = embedded.ports;
  const deadline = settings.transactionDeadline;
  const store = createStore({ backend: wrap(embedded.backend), clock, ids, deadline });
  const agents = publish([scripted], 'scripted');
  const app = composeApp(
    { ...embedded.ports, store, redactor: markingRedactor, ...alone },
    agents,
    {
      idempotency,
      installation: { answer: 'metadata', audit: 'metadata' },
    },
  );
  const edge: A2AAppOptions = {
    service: createTaskService(app),
    agents: agents.all.map((agent) => agent.card),
    defaultAgent: agents.first.name,
    settings,
    log,
    clock,
    v03,
    ...(access === undefined ? {} : { access: access(app) }),
  };
  embedded.queue.start((wakeUp) => handleWakeUp(app, wakeUp));
  const sweeping = createSweeping(app);
  sweeping.begin();
  const server = createServer(createA2AApp(edge));
  const grpc = await serveGrpc(edge);
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    app,
    grpc: grpc.address,
    async close() {
      grpc.close();
      server.closeAllConnections();
      server.close();
      await sweeping.stop();
      await embedded.close(500);
    },
  };
}

import { once } from 'node:events';
import { createServer } from 'node:http';
import { promisify } from 'node:util';
import { ServerCredentials } from '@grpc/grpc-js';
import type { Clock } from '../../shared/ports/clock.ts';
import { TasksEngine } from './engine.ts';
import { IdTokens } from './id-tokens.ts';
import { type CallFaultPlan, serverOf } from './service.ts';

export interface TasksEmulator {
  /** gRPC without TLS on 127.0.0.1. */
  readonly port: number;
  readonly engine: TasksEngine;
  readonly tokens: IdTokens;
  /**
   * Where the keys of its tokens are: `/jwks` (JWK) and `/certs` (PEM by key id). Also the tokens'
   * issuer. And where tests get one for any account, as gcloud would print it for a person:
   * `/identity?email=...&audience=...`.
   */
  readonly keysUrl: string;
  /** Asked for each call of the API until another plan is made. */
  plan(faults: CallFaultPlan | undefined): void;
  close(): Promise<void>;
}

export interface TasksEmulatorOptions {
  readonly clock: Clock;
  readonly port?: number;
  readonly keysPort?: number;
}

const KEYS = { 'content-type': 'application/json', 'cache-control': 'max-age=3600' } as const;

/** Cloud Tasks in memory, for Google's own client over gRPC. */
export async function startTasksEmulator(options: TasksEmulatorOptions): Promise<TasksEmulator> {
  const { clock, port = 0, keysPort = 0 } = options;
  const keys = createServer((request, response) => {
    const { pathname, searchParams: asked } = new URL(request.url ?? '/', 'http://localhost');
    if (pathname === '/identity') {
      const token = tokens.sign(asked.get('email') ?? '', asked.get('audience') ?? '');
      response.writeHead(200, { 'content-type': 'text/plain' }).end(token);
      return;
    }
    const body = pathname === '/certs' ? tokens.pems : tokens.jwks;
    response.writeHead(200, KEYS).end(JSON.stringify(body));
  }).listen(keysPort, '127.0.0.1');
  await once(keys, 'listening');
  const address = keys.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  const keysUrl = `http://127.0.0.1:${address.port}`;
  const tokens = new IdTokens(keysUrl);
  const engine = new TasksEngine(clock, tokens);
  let faults: CallFaultPlan | undefined;
  const server = serverOf(engine, (method) => faults?.(method));
  const bind = promisify(server.bindAsync.bind(server));
  const bound = await bind(`127.0.0.1:${port}`, ServerCredentials.createInsecure());
  return {
    port: bound,
    engine,
    tokens,
    keysUrl,
    plan: (next) => {
      faults = next;
    },
    async close() {
      engine.close();
      server.forceShutdown();
      keys.close();
      keys.closeAllConnections();
      await once(keys, 'close');
    },
  };
}

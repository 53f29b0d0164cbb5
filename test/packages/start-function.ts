import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const CLI = 'node_modules/@google-cloud/functions-framework/build/src/main.js';

export interface RunningFunction {
  readonly url: string;
  post(path: string, body: object): Promise<Response>;
  stop(): Promise<void>;
}

/**
 * Starts an unpacked package as the platform does: the framework's command in the package's folder,
 * or the script of the gRPC service, in production.
 */
export async function startFunction(
  folder: string,
  name: string,
  env: Readonly<Record<string, string>>,
): Promise<RunningFunction> {
  const port = await freePort();
  const framework = [join(folder, CLI), `--target=${name}`];
  const child = spawn(process.execPath, name === 'grpc' ? ['index.js'] : framework, {
    cwd: folder,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { PATH: process.env['PATH'], NODE_ENV: 'production', PORT: String(port), ...env },
  });
  const exited = once(child, 'exit');
  await Promise.race([
    listening(port, exited),
    exited.then(([code]) => Promise.reject(new Error(`${name} ended with ${String(code)}`))),
  ]);
  const url = `http://127.0.0.1:${port}`;
  return {
    url,
    post(path, body) {
      const headers = { 'Content-Type': 'application/json', 'A2A-Version': '1.0' };
      return fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    },
    async stop() {
      child.kill('SIGKILL');
      await exited;
    },
  };
}

/** The framework says nothing in production, so its port has to be tried. */
async function listening(port: number, exited: Promise<unknown>): Promise<void> {
  let ended = false;
  void exited.then(() => (ended = true));
  while (!ended) {
    const socket = connect(port, '127.0.0.1');
    try {
      await once(socket, 'connect');
      return;
    } catch {
      await sleep(20);
    } finally {
      socket.destroy();
    }
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

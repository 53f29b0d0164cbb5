import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ProxyOptions {
  /** Cuts each connection after so many milliseconds, as a gateway with a hard limit does. */
  readonly cutAfter?: number;
  /**
   * Holds answers back until 4 KiB have come together or the end, unless told not to: nginx's
   * proxy_buffering.
   */
  readonly buffers?: boolean;
  /** Gives up on an upstream that is silent for so long: nginx's proxy_read_timeout. */
  readonly patience?: number;
}

export interface Proxy {
  readonly url: string;
  close(): Promise<void>;
}

const BUFFER = 4_096;

/** Stands between client and server as reverse proxies do, with their bad habits. */
export async function openProxy(target: string, options: ProxyOptions): Promise<Proxy> {
  const server = http.createServer((request, response) => {
    relay(target, options, request, response);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => {
          resolve();
        });
      }),
  };
}

function relay(
  target: string,
  options: ProxyOptions,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const { method, headers } = request;
  const upstream = http.request(`${target}${request.url ?? ''}`, { method, headers, agent: false });
  const drop = () => {
    upstream.destroy();
    response.destroy();
  };
  if (options.cutAfter !== undefined) setTimeout(drop, options.cutAfter).unref();
  if (options.patience !== undefined) upstream.setTimeout(options.patience, drop);
  upstream.on('error', drop);
  response.on('close', () => upstream.destroy());
  upstream.on('response', (answer) => {
    const holds = options.buffers === true && answer.headers['x-accel-buffering'] !== 'no';
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    if (!holds) response.flushHeaders();
    let held: Buffer[] = [];
    answer.on('data', (chunk: Buffer) => {
      held.push(chunk);
      if (holds && Buffer.concat(held).byteLength < BUFFER) return;
      response.write(Buffer.concat(held));
      held = [];
    });
    answer.on('end', () => response.end(Buffer.concat(held)));
    answer.on('error', drop);
  });
  request.pipe(upstream);
}

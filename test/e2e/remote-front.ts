import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import https from 'node:https';
import type { AddressInfo, Socket } from 'node:net';

export type Operation = 'SendMessage' | 'GetTask' | 'ListTasks' | 'CancelTask' | 'other';

/** What goes wrong with one request on its way. */
export type Mishap =
  /** The connection ends without an answer; with `after` the remote has had the request. */
  | { readonly kind: 'cut'; readonly when: 'before' | 'after' }
  /** It is held until then, and goes on. */
  | { readonly kind: 'hold'; readonly when: 'before' | 'after'; readonly until: Promise<unknown> }
  /** A proxy on the way repeats the request; the second answer comes back. */
  | { readonly kind: 'twice' }
  /** Another answer than the remote's; with `after` the remote has had the request. */
  | {
      readonly kind: 'say';
      readonly when: 'before' | 'after';
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: string;
    };

export interface FrontOptions {
  /** Cuts each exchange after so many milliseconds, as a gateway with a hard limit does. */
  readonly cutAfter?: number;
  readonly tls?: { readonly key: string; readonly cert: string };
}

interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

/**
 * Stands before a remote agent at an address that stays, whatever becomes of the remote: counts
 * what arrives, has things go wrong, and can be away itself.
 */
export class Front {
  /** The remote itself; it may move. */
  remote = { url: '' };
  readonly seen: Operation[] = [];
  /**
   * Told of each request when it has arrived, and when it was answered but its answer has not left.
   * `cut`: it goes no further.
   */
  watch: (operation: Operation, where: 'arrived' | 'answered') => 'cut' | undefined = () =>
    undefined;
  readonly #options: FrontOptions;
  readonly #mishaps = new Map<Operation, Mishap[]>();
  readonly #sockets = new Set<Socket>();
  #server: http.Server | undefined;
  #port = 0;

  constructor(options: FrontOptions = {}) {
    this.#options = options;
  }

  get url(): string {
    return `${this.#options.tls === undefined ? 'http' : 'https'}://127.0.0.1:${this.#port}`;
  }

  count(operation: Operation): number {
    return this.seen.filter((each) => each === operation).length;
  }

  /** The next requests of that kind meet these, one each. */
  next(operation: Operation, ...mishaps: readonly Mishap[]): this {
    this.#mishaps.set(operation, [...(this.#mishaps.get(operation) ?? []), ...mishaps]);
    return this;
  }

  /** Listens, where it listened before if it did. */
  async open(): Promise<this> {
    const { tls } = this.#options;
    const handle = (request: IncomingMessage, response: ServerResponse) => {
      this.#exchange(request, response).catch(() => response.destroy());
    };
    const server = tls === undefined ? http.createServer(handle) : https.createServer(tls, handle);
    server.on('connection', (socket: Socket) => {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
    });
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(this.#port, '127.0.0.1', resolve);
    });
    this.#port = (server.address() as AddressInfo).port;
    this.#server = server;
    return this;
  }

  /** Every connection is refused from now on. */
  async close(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    for (const socket of this.#sockets) socket.destroy();
    if (server === undefined) return;
    await new Promise((resolve) => {
      server.close(resolve);
    });
  }

  async #exchange(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { cutAfter } = this.#options;
    if (cutAfter !== undefined) setTimeout(() => response.destroy(), cutAfter).unref();
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    const operation = operationOf(request, body);
    this.seen.push(operation);
    const mishap = this.#mishaps.get(operation)?.shift();
    if (this.watch(operation, 'arrived') === 'cut') return void response.destroy();
    if (mishap?.kind === 'cut' && mishap.when === 'before') return void response.destroy();
    if (mishap?.kind === 'say' && mishap.when === 'before') return say(response, mishap);
    if (mishap?.kind === 'hold' && mishap.when === 'before') await mishap.until;
    if (mishap?.kind === 'twice') await this.#ask(request, body);
    const answer = await this.#ask(request, body);
    if (mishap?.kind === 'hold') await mishap.until;
    if (this.watch(operation, 'answered') === 'cut') return void response.destroy();
    if (mishap?.kind === 'cut') return void response.destroy();
    if (mishap?.kind === 'say') return say(response, mishap);
    const headers = Object.entries(answer.headers).filter(([name]) => name !== 'transfer-encoding');
    const length = { 'content-length': answer.body.length };
    response.writeHead(answer.status, { ...Object.fromEntries(headers), ...length });
    response.end(answer.body);
  }

  #ask({ method, url = '', headers }: IncomingMessage, body: Buffer): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const asked = http.request(`${this.remote.url}${url}`, { method, headers, agent: false });
      asked.on('error', reject);
      asked.on('response', (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const { statusCode: status = 502 } = response;
          resolve({ status, headers: response.headers, body: Buffer.concat(chunks) });
        });
      });
      asked.end(body);
    });
  }
}

function say(
  response: ServerResponse,
  { status, headers = {}, body = '' }: Extract<Mishap, { kind: 'say' }>,
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
}

const NAMES: ReadonlySet<string> = new Set(['SendMessage', 'GetTask', 'ListTasks', 'CancelTask']);

/** By the method of JSON-RPC, or by the path of HTTP+JSON. */
function operationOf({ method, url = '' }: IncomingMessage, body: Buffer): Operation {
  const { pathname } = new URL(url, 'http://front');
  if (pathname.endsWith('/message:send')) return 'SendMessage';
  if (method === 'GET' && pathname.endsWith('/tasks')) return 'ListTasks';
  if (/\/tasks\/[^/]+:cancel$/.test(pathname)) return 'CancelTask';
  if (method === 'GET' && /\/tasks\/[^/]+$/.test(pathname)) return 'GetTask';
  if (method !== 'POST') return 'other';
  const { method: name = '' } = JSON.parse(body.toString()) as { readonly method?: string };
  return NAMES.has(name) ? (name as Operation) : 'other';
}

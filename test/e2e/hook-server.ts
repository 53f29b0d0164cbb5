import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request that a webhook got, whole. */
export interface Got {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: unknown;
  readonly seq: number;
}

/** What a path of the webhook's server does with its nth request. */
type Behaviour = (res: ServerResponse, nth: number) => void;

const taken: Behaviour = (res) => void res.writeHead(204).end();

/**
 * Webhooks of a caller on one server: each path behaves as it is named. `/well` takes everything;
 * the others do what a webhook should not.
 */
const BEHAVIOURS: Readonly<Record<string, Behaviour>> = {
  '/well': taken,
  '/stalls': () => undefined,
  '/stalls-once': (res, nth) => nth > 1 && taken(res, nth),
  '/fails-thrice': (res, nth) => void res.writeHead(nth <= 3 ? 500 : 204).end('an error page'),
  '/cuts-once': (res, nth) => (nth === 1 ? res.destroy() : taken(res, nth)),
  '/floods': (res) => {
    res.writeHead(200);
    const more = (): void => {
      while (!res.destroyed && res.write(Buffer.alloc(64 * 1024)));
    };
    res.on('drain', more);
    res.on('error', () => undefined);
    more();
  },
  '/redirects': (res) => void res.writeHead(307, { location: '/well' }).end(),
};

export class HookServer {
  readonly got: Got[] = [];
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
  }

  static async start(): Promise<HookServer> {
    const server = createServer();
    const hooks = new HookServer(server);
    server.on('request', (req, res) => void hooks.#take(req, res));
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    return hooks;
  }

  url(path: string): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}${path}`;
  }

  /** Of one task, in the order in which they came. */
  of(taskId: string, path = ''): readonly Got[] {
    return this.got.filter(
      (each) => each.path.startsWith(path) && `${eventOf(each)}`.startsWith(`${taskId}/`),
    );
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  async #take(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const chunks: Uint8Array[] = [];
    for await (const chunk of req) chunks.push(chunk as Uint8Array);
    const { headers, url: path = '' } = req;
    const seq = Number(String(headers['holdfast-event-id']).split('/')[1]);
    const body = JSON.parse(Buffer.concat(chunks).toString('utf8')) as unknown;
    this.got.push({ path, headers, body, seq });
    const task = String(headers['holdfast-event-id']).split('/')[0] ?? '';
    const nth = this.of(task, path).length;
    BEHAVIOURS[path]?.(res, nth);
  }
}

const eventOf = ({ headers }: Got): string => String(headers['holdfast-event-id']);

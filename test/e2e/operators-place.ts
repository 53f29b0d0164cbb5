import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A message that operators were told. */
export interface Heard {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

export interface ToldNotice {
  readonly id: string;
  readonly kind: string;
  readonly run: string;
  readonly link?: string;
}

/** Where operators want to be told: a service of theirs, and a chat, on one server. */
export class OperatorsPlace {
  readonly heard: Heard[] = [];
  readonly #server: Server = createServer();
  #held: Promise<void> | undefined;

  async open(): Promise<this> {
    this.#server.on('request', (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const { headers, url: path = '' } = request;
        this.heard.push({ path, headers, text: Buffer.concat(chunks).toString('utf8') });
        void Promise.resolve(this.#held).then(() => response.writeHead(204).end());
      });
    });
    await new Promise<void>((resolve) => {
      this.#server.listen(0, '127.0.0.1', resolve);
    });
    return this;
  }

  /** What comes is heard, and not answered until the function that this returns is called. */
  hold(): () => void {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#held = promise;
    return () => {
      this.#held = undefined;
      resolve();
    };
  }

  url(path: string): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}${path}`;
  }

  /** Of the form `json`, about one run, in the order in which they came. */
  about(run: string, path = '/service'): readonly ToldNotice[] {
    return this.heard
      .filter((each) => each.path === path)
      .flatMap(({ text }) => (JSON.parse(text) as { notices: readonly ToldNotice[] }).notices)
      .filter((each) => each.run === run);
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

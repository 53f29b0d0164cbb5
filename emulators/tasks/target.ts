import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';

export interface Delivery {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly id: string;
}

export interface Target {
  readonly url: string;
  readonly deliveries: Delivery[];
  /** How the next deliveries are answered; undefined never answers. */
  answer: (delivery: Delivery, response: ServerResponse) => number | undefined | Promise<number>;
  close(): void;
}

/** An HTTP handler that notes what a queue delivers to it. */
export async function openTarget(): Promise<Target> {
  const server = createServer((request, response) => {
    void (async () => {
      const pieces: Buffer[] = [];
      for await (const piece of request) pieces.push(piece as Buffer);
      const id = String(request.headers['x-cloudtasks-taskname']);
      const delivery = { headers: request.headers, body: Buffer.concat(pieces).toString(), id };
      target.deliveries.push(delivery);
      const status = await target.answer(delivery, response);
      if (status !== undefined) response.writeHead(status).end();
    })();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  const target: Target = {
    url: `http://127.0.0.1:${address.port}/`,
    deliveries: [],
    answer: () => 200,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
  return target;
}

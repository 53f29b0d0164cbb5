import type { IncomingMessage, ServerResponse } from 'node:http';

/** One request, its body read whole, and how to answer it. */
export interface Exchange {
  readonly method: string;
  readonly url: URL;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
  readonly send: (
    status: number,
    body?: object | Buffer,
    headers?: Readonly<Record<string, string>>,
  ) => void;
}

export async function exchangeOf(
  request: IncomingMessage,
  response: ServerResponse,
): Promise<Exchange> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  const url = new URL(request.url ?? '/', `http://${request.headers.host ?? 'localhost'}`);
  return {
    method: request.method ?? 'GET',
    url,
    query: url.searchParams,
    headers: request.headers,
    body: Buffer.concat(pieces),
    send(status, body, headers = {}) {
      const raw = Buffer.isBuffer(body);
      const bytes = raw ? body : Buffer.from(body === undefined ? '' : JSON.stringify(body));
      const type = raw || body === undefined ? {} : { 'content-type': 'application/json' };
      const length = status === 204 ? {} : { 'content-length': String(bytes.length) };
      response.writeHead(status, { ...type, ...length, ...headers });
      response.end(bytes);
    },
  };
}

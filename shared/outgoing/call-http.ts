import { type ClientRequest, type IncomingMessage, request as httpRequest } from 'node:http';
import type { Socket } from 'node:net';
import { readResponse } from './response-body.ts';
import type { CallDeadline } from './call-deadline.ts';
import { connect, type ConnectOptions } from './connect.ts';

export interface HttpRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface HttpResponse {
  readonly kind: 'answer';
  readonly status: number;
  readonly contentType: string;
  readonly retryAfter?: string;
  /** Unpacked; undefined: it was larger than allowed. */
  readonly body?: Uint8Array;
  /** Its end was announced, so it can't have been cut short. */
  readonly framed: boolean;
}

/** What one HTTP exchange came to, as far as can be known. */
export type HttpOutcome =
  | HttpResponse
  /** Provably no byte of the request left. */
  | { readonly kind: 'not_sent'; readonly reason: string }
  /** Bytes may have left, and no whole answer came back. */
  | { readonly kind: 'lost'; readonly reason: string };

/**
 * One request over a connection of its own: the connection is there, TLS included, before the first
 * byte is written, so what fails before is `not_sent` for certain. No redirect is followed, nothing
 * is repeated.
 */
export async function callHttp(
  request: HttpRequest,
  limit: number,
  options: ConnectOptions,
  deadline: CallDeadline,
): Promise<HttpOutcome> {
  const connection = await connect(request.url, options, deadline);
  if (connection.kind === 'failed') return { kind: 'not_sent', reason: connection.reason };
  const { socket } = connection;
  try {
    if (deadline.signal.aborted) return { kind: 'not_sent', reason: deadline.why() };
    const sent = requestOver(socket, request, deadline);
    if (sent === undefined) return { kind: 'not_sent', reason: 'bad header' };
    const response = await responseTo(sent, request.body);
    if (response === undefined) return lost('no answer', deadline);
    return await wholeResponse(response, limit, deadline);
  } finally {
    socket.destroy();
  }
}

function lost(reason: string, { signal, why }: CallDeadline): HttpOutcome {
  return { kind: 'lost', reason: signal.aborted ? why() : reason };
}

/** Undefined: a header holds what no header may; Node looks before it writes. */
function requestOver(
  socket: Socket,
  { method, url, headers, body }: HttpRequest,
  { signal }: CallDeadline,
): ClientRequest | undefined {
  const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  try {
    return httpRequest({
      // Without an agent: the connection serves this request only.
      createConnection: () => socket,
      setHost: false,
      method,
      path: `${url.pathname}${url.search}`,
      headers: { ...headers, ...length, host: url.host, 'accept-encoding': 'gzip' },
      signal,
    });
  } catch {
    return undefined;
  }
}

/** Sends the body. Undefined: the connection ended without an answer. */
export function responseTo(
  request: ClientRequest,
  body: string | undefined,
): Promise<IncomingMessage | undefined> {
  return new Promise((resolve) => {
    request.once('response', resolve);
    // An error after the answer (a server that closes early, or says more than it should) does not
    // take the answer back.
    request.on('error', () => resolve(undefined));
    request.once('close', () => resolve(undefined));
    request.end(body);
  });
}

async function wholeResponse(
  response: IncomingMessage,
  limit: number,
  deadline: CallDeadline,
): Promise<HttpOutcome> {
  const read = await readResponse(response, limit);
  if (read.kind === 'broken') return lost('broken answer', deadline);
  const { headers, statusCode = 0 } = response;
  const retryAfter = headers['retry-after'];
  return {
    kind: 'answer',
    status: statusCode,
    contentType: headers['content-type'] ?? '',
    framed: headers['content-length'] !== undefined || 'transfer-encoding' in headers,
    ...(retryAfter !== undefined && { retryAfter }),
    ...(read.kind === 'whole' && { body: read.body }),
  };
}

import { type ClientRequest, type IncomingMessage, request as httpRequest } from 'node:http';
import type { Socket } from 'node:net';
import type { Millis } from '../domain/brand.ts';
import type { Clock } from '../ports/clock.ts';
import { type CallDeadline, callDeadline } from '../outgoing/call-deadline.ts';
import { responseTo } from '../outgoing/call-http.ts';
import { connect, type ConnectOptions } from '../outgoing/connect.ts';
import { destinationOf } from '../outgoing/destination.ts';
import { type SentCall, sentCall } from './sent-call.ts';

export interface FetchOptions extends ConnectOptions {
  readonly clock: Pick<Clock, 'after'>;
  /** From the connection to the end of the body. */
  readonly timeout: Millis;
  /** Bytes of a body at most. */
  readonly bytes: number;
  /** Headers for a request to that URL, besides those of the client; or why there are none. */
  readonly headers: (url: URL) => Promise<Readonly<Record<string, string>> | string>;
}

/** A request that can't be made, or whose answer can't be used. */
export class FetchFault extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'FetchFault';
  }
}

/**
 * `fetch` for the MCP client, over a connection of its own whose address is checked first, as for
 * remote agents. It opens no stream that waits for news: an agent that waits holds nothing.
 */
export function guardedFetch(
  options: FetchOptions,
): (input: string | URL, init?: RequestInit) => Promise<Response> {
  return async (input, init = {}) => {
    const headers = new Headers(init.headers);
    const { method = 'GET' } = init;
    // A server without a stream of its own answers 405, and so do we for it.
    if (method === 'GET' && !headers.has('last-event-id'))
      return new Response(null, { status: 405 });
    const call = sentCall();
    const destination = destinationOf(String(input), options.allowPrivate);
    if (destination.kind === 'bad') throw fault(call, destination.reason);
    const { url } = destination;
    const more = await options.headers(url);
    if (typeof more === 'string') throw fault(call, more);
    for (const [name, value] of Object.entries(more)) headers.set(name, value);
    const deadline = callDeadline(options.clock, options.timeout, init.signal ?? undefined);
    const connection = await connect(url, options, deadline);
    if (connection.kind === 'failed') {
      deadline.end();
      throw fault(call, connection.reason);
    }
    const { socket } = connection;
    const end = () => {
      deadline.end();
      socket.destroy();
    };
    try {
      const body = typeof init.body === 'string' ? init.body : undefined;
      const request = requestOver(socket, { method, url, headers, body }, deadline);
      call.sent = true;
      const response = await responseTo(request, body);
      if (response === undefined)
        throw fault(call, deadline.signal.aborted ? deadline.why() : 'no answer');
      return answerOf(response, { call, end, bytes: options.bytes, clock: options.clock });
    } catch (error) {
      end();
      throw error;
    }
  };
}

export const TOO_LARGE = 'too large';

function fault(call: SentCall, reason: string): FetchFault {
  call.fault = reason;
  return new FetchFault(reason);
}

interface Outgoing {
  readonly method: string;
  readonly url: URL;
  readonly headers: Headers;
  readonly body: string | undefined;
}

function requestOver(
  socket: Socket,
  { body, headers, method, url }: Outgoing,
  { signal }: CallDeadline,
): ClientRequest {
  const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  return httpRequest({
    // Without an agent: the connection serves this request only.
    createConnection: () => socket,
    setHost: false,
    method,
    path: `${url.pathname}${url.search}`,
    headers: { ...Object.fromEntries(headers), ...length, host: url.host },
    signal,
  });
}

const WITHOUT_BODY = [204, 205, 304];
/** What the client has read by then, it has understood. */
const READ = 1_000;

interface Answering {
  readonly call: SentCall;
  readonly bytes: number;
  readonly clock: Pick<Clock, 'after'>;
  readonly end: () => void;
}

function answerOf(response: IncomingMessage, answering: Answering): Response {
  const { statusCode: status = 0, headersDistinct } = response;
  answering.call.status = status;
  const headers = new Headers();
  for (const [name, values = []] of Object.entries(headersDistinct))
    for (const value of values) headers.append(name, value);
  if (WITHOUT_BODY.includes(status)) {
    response.resume();
    answering.end();
    return new Response(null, { status, headers });
  }
  return new Response(bodyOf(response, answering), { status, headers });
}

function bodyOf(
  response: IncomingMessage,
  { bytes, call, clock, end }: Answering,
): ReadableStream<Uint8Array> {
  const isStream = response.headers['content-type']?.startsWith('text/event-stream') === true;
  let left = bytes;
  // A stream with ids can be read on from the last one, which the client does.
  let resumable = false;
  let over = false;
  const finish = (reason: string): boolean => {
    if (over) return false;
    over = true;
    end();
    if (reason === TOO_LARGE) call.broke?.(reason);
    else if (isStream && !resumable) clock.after(READ, () => call.broke?.(reason));
    return true;
  };
  return new ReadableStream<Uint8Array>({
    start(controller) {
      const failed = (reason: string) => {
        if (finish(reason)) controller.error(fault(call, reason));
      };
      response.on('data', (chunk: Buffer) => {
        if (over) return;
        left -= chunk.length;
        if (left < 0) return failed(TOO_LARGE);
        resumable ||= isStream && /(^|\n)id:/.test(chunk.toString('latin1'));
        controller.enqueue(new Uint8Array(chunk));
      });
      response.once('end', () => {
        if (finish('no answer')) controller.close();
      });
      response.once('error', () => failed('broken answer'));
      response.once('close', () => failed('broken answer'));
    },
    cancel() {
      finish('no answer');
    },
  });
}

import {
  constants,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
  type ServerHttp2Stream,
} from 'node:http2';
import { principalFor } from '../a2a/admit.ts';
import type { Failure } from '../a2a/failure.ts';
import type { CardPlace, RequestContext } from '../a2a/request-context.ts';
import type { Version } from '../a2a/version.ts';
import type { AgentName, Principal } from '../domain/ids.ts';
import type { Traceparent } from '../domain/trace-context.ts';
import type { BodyAccount } from '../http/body-budget.ts';
import type { CallerHeaders, Identity } from '../ports/access.ts';
import type { Clock } from '../ports/clock.ts';
import { OK, statusOf, type Trailers } from './grpc-status.ts';
import { ENCODINGS } from './read-message.ts';
import { timeoutOf } from './timeout.ts';

export interface GrpcCallOptions {
  readonly headers: IncomingHttpHeaders;
  readonly body: BodyAccount;
  readonly clock: Clock;
}

/** One call and its answer, as gRPC has them over HTTP/2. */
export class GrpcCall implements RequestContext {
  readonly stream: ServerHttp2Stream;
  readonly headers: IncomingHttpHeaders;
  readonly body: BodyAccount;
  agent: AgentName | undefined;
  /** Method, for the log: one of a fixed set of names. */
  operation = 'unknown';
  version: Version = '1.0';
  readonly notification = false;
  tenant = '';
  cardAround: () => CardPlace = () => ({ around: {}, versions: [] });
  extensions: readonly string[] = [];
  identity: Identity = { owner: '', authenticated: false };
  /** Ends what is done for this call: aborts when it has ended, or its client is gone. */
  readonly over = new AbortController();
  failure: Failure | undefined;
  trace: Traceparent | undefined;
  readonly #head: OutgoingHttpHeaders = {
    ':status': 200,
    'content-type': 'application/grpc+proto',
    'grpc-accept-encoding': ENCODINGS,
  };
  #trailers: Trailers = OK;

  constructor(stream: ServerHttp2Stream, { body, clock, headers }: GrpcCallOptions) {
    this.stream = stream;
    this.headers = headers;
    this.body = body;
    // How a client went away is all the same.
    stream.on('error', () => undefined);
    const timeout = timeoutOf(this.header('grpc-timeout'));
    const cancel =
      timeout === undefined
        ? () => undefined
        : clock.after(timeout, () => {
            this.fail({ code: 'DEADLINE_EXCEEDED', message: 'The deadline of the call is over.' });
          });
    stream.once('close', () => {
      cancel();
      body.release();
      this.over.abort('the call is over');
    });
  }

  get principal(): Principal {
    const { agent, tenant, identity } = this;
    if (agent === undefined) throw new TypeError('a call without an agent has no principal');
    return principalFor(agent, identity, tenant);
  }

  get gone(): AbortSignal {
    return this.over.signal;
  }

  /** Its metadata, for who checks the caller. */
  get metadata(): CallerHeaders {
    return Object.fromEntries(
      Object.entries(this.headers).map(([name, value]) => [
        name,
        typeof value === 'string' ? [value] : value,
      ]),
    );
  }

  header(name: string): string | undefined {
    const value = this.headers[name];
    return typeof value === 'string' ? value : value?.join(', ');
  }

  echo(name: string, value: string): void {
    this.#head[name.toLowerCase()] = value;
  }

  /** Begins the answer, once, so that its client knows it was taken. */
  begin(): void {
    const { stream } = this;
    if (stream.headersSent || stream.destroyed) return;
    stream.once('wantTrailers', () => stream.sendTrailers(this.#trailers));
    stream.respond(this.#head, { waitForTrailers: true });
  }

  /** Sends a message. */
  send(message: Uint8Array): void {
    this.begin();
    const { stream } = this;
    if (stream.destroyed || stream.writableEnded) return;
    const prefix = Buffer.alloc(5);
    prefix.writeUInt32BE(message.length, 1);
    stream.cork();
    stream.write(prefix);
    stream.write(message);
    stream.uncork();
  }

  /** Ends the answer, with what its status is. */
  end(trailers: Trailers = OK): void {
    const { stream } = this;
    if (stream.destroyed || stream.writableEnded) return;
    this.#trailers = trailers;
    this.begin();
    stream.end();
  }

  /** Ends the call with an error, once. */
  fail(failure: Failure): void {
    const { stream } = this;
    if (this.failure !== undefined || stream.destroyed || stream.writableEnded) return;
    this.failure = failure;
    const trailers = statusOf(failure);
    if (stream.headersSent) {
      this.end(trailers);
    } else {
      stream.respond({ ...this.#head, ...trailers }, { endStream: true });
    }
    this.over.abort('the call has failed');
    // What is left of the request is not wanted (RFC 9113 section 8.1).
    if (!stream.readableEnded) stream.close(constants.NGHTTP2_NO_ERROR);
  }
}

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AgentName, Principal } from '../domain/ids.ts';
import type { Json, JsonObject } from '../domain/json.ts';
import type { Traceparent } from '../domain/trace-context.ts';
import type { BodyAccount } from '../http/body-budget.ts';
import { EVENT_HEADERS } from '../http/event-stream.ts';
import { goneController } from '../http/gone.ts';
import { setFailureHeaders } from '../http/refused-request.ts';
import { sendJson, sendJsonAndClose } from '../http/send-json.ts';
import type { Identity } from '../ports/access.ts';
import type { Clock } from '../ports/clock.ts';
import { principalFor } from './admit.ts';
import { errorDetails, legacyRestErrorBody, restErrorBody } from './error-body.ts';
import { ERRORS } from './error-table.ts';
import type { Failure } from './failure.ts';
import { headerOf, type Target, targetOf } from './http-request.ts';
import { JSON_TYPE, replyType } from './media-type.ts';
import type { CardPlace, RequestContext } from './request-context.ts';
import type { Version } from './version.ts';

export type Binding = 'jsonrpc' | 'rest';

/** One request and its answer, in the shape of its binding and version. */
export class Exchange implements RequestContext {
  /** Undefined when the path names no agent. */
  readonly agent: AgentName | undefined;
  readonly binding: Binding;
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly target: Target;
  /** Method or route, for the log: one of a fixed set of names. */
  operation = 'unknown';
  version: Version = '1.0';
  /** The id of a JSON-RPC request as JSON text, so that it comes back as it was written. */
  rpcId = 'null';
  /**
   * A JSON-RPC notification is executed and gets no body, not even an error (JSON-RPC 2.0 section
   * 4.1).
   */
  notification = false;
  /** Its method or path is one that only v0.3 has. */
  speaksLegacy = false;
  /** A stream was asked for. */
  streams = false;
  tenant = '';
  cardAround: () => CardPlace = () => ({ around: {}, versions: [] });
  /** URIs of the extensions in effect. */
  extensions: readonly string[] = [];
  identity: Identity = { owner: '', authenticated: false };
  /**
   * Ends what is done for this request: aborts when the response has ended or its client is gone.
   */
  readonly over: AbortController;
  failure: Failure | undefined;
  /** The span of this request, if it is traced. */
  trace: Traceparent | undefined;
  /** What the body of this request takes of what the process may hold. */
  readonly #body: BodyAccount;
  readonly #clock: Clock;

  constructor(
    agent: AgentName | undefined,
    binding: Binding,
    { body, clock, req, res }: ExchangeOptions,
  ) {
    this.agent = agent;
    this.binding = binding;
    this.req = req;
    this.res = res;
    this.target = targetOf(req);
    this.#body = body;
    this.#clock = clock;
    this.over = goneController(res, () => body.release());
  }

  get principal(): Principal {
    const { agent, tenant, identity } = this;
    if (agent === undefined) throw new TypeError('a request without an agent has no principal');
    return principalFor(agent, identity, tenant);
  }

  get gone(): AbortSignal {
    return this.over.signal;
  }

  get body(): BodyAccount {
    return this.#body;
  }

  header(name: string): string | undefined {
    return headerOf(this.req, name);
  }

  echo(name: string, value: string): void {
    if (!this.res.headersSent) this.res.setHeader(name, value);
  }

  /** Answers with the result of an operation. */
  answer(result: Json): void {
    const { res } = this;
    if (res.headersSent) return;
    if (this.notification) {
      this.acknowledge();
      return;
    }
    res.statusCode = 200;
    res.setHeader('Content-Type', `${this.#jsonType}; charset=utf-8`);
    sendJson(res, this.resultText(result));
  }

  /** Answers with a stream that holds one event. */
  answerWithEvent(response: JsonObject): void {
    const { res } = this;
    if (this.notification) {
      this.acknowledge();
      return;
    }
    res.statusCode = 200;
    for (const [name, value] of Object.entries(EVENT_HEADERS)) res.setHeader(name, value);
    res.end(`data: ${this.resultText(response)}\n\n`);
  }

  /** Answers a notification. */
  acknowledge(): void {
    this.res.statusCode = 204;
    this.res.end();
  }

  /** A result as it goes out, alone or as one event of a stream. */
  resultText(result: Json): string {
    const text = JSON.stringify(result);
    return this.binding === 'rest' ? text : this.#envelope(`"result":${text}`);
  }

  /**
   * Answers with an error, once: before a stream has begun as the whole answer, in it as its last
   * event.
   */
  fail(failure: Failure): void {
    const { res } = this;
    if (this.failure !== undefined || res.writableEnded) return;
    if (this.req.method === 'OPTIONS' && failure.allow !== undefined) {
      // What a path takes is the answer, not a failure (RFC 9110 section 9.3.7).
      res.setHeader('Allow', `${failure.allow}, OPTIONS`);
      this.acknowledge();
      return;
    }
    this.failure = failure;
    const text = this.#errorText(failure);
    if (res.headersSent) {
      // Clients of JSON-RPC look for the error in the response, also those that drop events with a
      // name.
      res.end(`${this.binding === 'rest' ? 'event: error\n' : ''}data: ${text}\n\n`);
      return;
    }
    const row = ERRORS[failure.code];
    setFailureHeaders(res, failure);
    if (this.notification) {
      this.acknowledge();
      return;
    }
    res.statusCode = this.binding === 'rest' ? row.http : (row.rpcHttp ?? 200);
    if (this.#failsAsEvent) {
      for (const [name, value] of Object.entries(EVENT_HEADERS)) res.setHeader(name, value);
      res.end(`data: ${text}\n\n`);
      return;
    }
    res.setHeader('Content-Type', `${this.#jsonType}; charset=utf-8`);
    if (failure.close === true) sendJsonAndClose(this.req, res, text, this.#clock);
    else sendJson(res, text);
  }

  /**
   * v0.3 wants the error of a refused stream as its one event (its section 3.3.1, 7.2.1). 1.0 wants
   * a plain answer, says its kit.
   */
  get #failsAsEvent(): boolean {
    if (this.binding === 'rest' || !this.streams || this.res.statusCode !== 200) return false;
    return this.version === '0.3';
  }

  /** Content-Type of a JSON answer. v0.3 knows only one (its section 3.2). */
  get #jsonType(): string {
    if (this.binding === 'jsonrpc' || this.version === '0.3') return JSON_TYPE;
    return replyType(headerOf(this.req, 'content-type'), headerOf(this.req, 'accept'));
  }

  #errorText(failure: Failure): string {
    if (this.binding === 'rest') {
      const body = this.version === '0.3' ? legacyRestErrorBody(failure) : restErrorBody(failure);
      return JSON.stringify(body);
    }
    const error = {
      code: ERRORS[failure.code].rpc,
      message: failure.message,
      data: errorDetails(failure),
    };
    return this.#envelope(`"error":${JSON.stringify(error)}`);
  }

  #envelope(member: string): string {
    return `{"jsonrpc":"2.0","id":${this.rpcId},${member}}`;
  }
}

export interface ExchangeOptions {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly clock: Clock;
  readonly body: BodyAccount;
}

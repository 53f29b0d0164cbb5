import type { Request, Response } from 'express';
import { goneSignal } from '../http/gone.ts';
import { setFailureHeaders } from '../http/refused-request.ts';
import { sendJson, sendJsonAndClose } from '../http/send-json.ts';
import type { Clock } from '../ports/clock.ts';
import type { AgentName, Principal } from '../domain/ids.ts';
import type { Traceparent } from '../domain/trace-context.ts';
import { legacyRestErrorBody, type RpcId, restErrorBody, rpcErrorBody } from './error-body.ts';
import { ERRORS } from './error-table.ts';
import type { Failure } from './failure.ts';
import { JSON_TYPE, replyType } from './media-type.ts';
import type { Identity } from './principal-of.ts';
import type { Version } from './version.ts';

export type Binding = 'jsonrpc' | 'rest';

/**
 * One request and its answer. The SDK's handlers know neither the client's disconnect, nor our error bodies, nor what a
 * stream needs; all of that is here, and our request handler finds it through the SDK's User (see caller.ts).
 */
export class Exchange {
  /** Undefined when the path names no agent. */
  readonly agent: AgentName | undefined;
  readonly binding: Binding;
  readonly req: Request;
  readonly res: Response;
  /** Method or route, for the log: one of a fixed set of names. */
  operation = 'unknown';
  version: Version = '1.0';
  rpcId: RpcId = null;
  /** A JSON-RPC notification is executed and gets no body, not even an error (JSON-RPC 2.0 section 4.1). */
  notification = false;
  tenant = '';
  identity: Identity = { owner: '', authenticated: false };
  /** Aborts when the response has ended or its client is gone. */
  readonly gone: AbortSignal;
  failure: Failure | undefined;
  /** The span of this request, if it is traced. */
  trace: Traceparent | undefined;
  readonly #clock: Clock;

  constructor(
    agent: AgentName | undefined,
    binding: Binding,
    req: Request,
    res: Response,
    clock: Clock,
  ) {
    this.agent = agent;
    this.binding = binding;
    this.req = req;
    this.res = res;
    this.#clock = clock;
    this.gone = goneSignal(res);
  }

  get principal(): Principal {
    const { agent, tenant, identity } = this;
    if (agent === undefined) throw new TypeError('a request without an agent has no principal');
    const { owner, authenticated } = identity;
    return { agent, tenant, owner, authenticated };
  }

  /** Content-Type of a JSON answer. v0.3 knows only one (its section 3.2). */
  get jsonType(): string {
    if (this.binding === 'jsonrpc' || this.version === '0.3') return JSON_TYPE;
    return replyType(this.req.get('content-type'), this.req.get('accept'));
  }

  /** Answers with an error in the shape of the binding, once; what the SDK writes afterwards is discarded. */
  fail(failure: Failure): void {
    if (this.failure !== undefined || this.res.writableEnded) return;
    this.failure = failure;
    const { res } = this;
    if (res.headersSent) res.end(`event: error\ndata: ${JSON.stringify(this.#body(failure))}\n\n`);
    else this.#answer(failure);
    mute(res);
  }

  /** Answers a notification. */
  acknowledge(): void {
    if (this.res.headersSent) return;
    this.res.statusCode = 204;
    this.res.removeHeader('content-type');
    this.res.end();
    mute(this.res);
  }

  #answer(failure: Failure): void {
    const { res } = this;
    const row = ERRORS[failure.code];
    setFailureHeaders(res, failure);
    if (this.notification) {
      this.acknowledge();
      return;
    }
    res.statusCode = this.binding === 'rest' ? row.http : (row.rpcHttp ?? 200);
    res.setHeader('Content-Type', `${this.jsonType}; charset=utf-8`);
    const body = JSON.stringify(this.#body(failure));
    if (failure.close === true) sendJsonAndClose(this.req, res, body, this.#clock);
    else sendJson(res, body);
  }

  #body(failure: Failure): object {
    if (this.binding === 'jsonrpc') return rpcErrorBody(failure, this.rpcId);
    return this.version === '0.3' ? legacyRestErrorBody(failure) : restErrorBody(failure);
  }
}

/** The SDK writes its own view of an error after ours is out; on a sent response each of these calls would throw. */
function mute(res: Response): void {
  const nothing = () => res;
  Object.assign(res, {
    setHeader: nothing,
    flushHeaders: nothing,
    json: nothing,
    end: nothing,
    write: () => true,
  });
}

import type { IncomingMessage, ServerResponse } from 'node:http';
import { EventStream } from '../http/event-stream.ts';
import { goneController } from '../http/gone.ts';
import { setFailureHeaders } from '../http/refused-request.ts';
import { sendJson, sendJsonAndClose } from '../http/send-json.ts';
import type { Clock } from '../ports/clock.ts';
import { ERRORS } from './error-table.ts';
import type { Failure } from './failure.ts';

export interface ReplyOptions {
  readonly clock: Clock;
  readonly heartbeat: number;
}

/** The answer to one request: JSON, or a stream of events. */
export class Reply {
  readonly #req: IncomingMessage;
  readonly #res: ServerResponse;
  readonly #clock: Clock;
  readonly #stream: EventStream;
  /** Aborts when the response has ended or its client is gone. */
  readonly gone: AbortSignal;
  failure: Failure | undefined;

  constructor(req: IncomingMessage, res: ServerResponse, { clock, heartbeat }: ReplyOptions) {
    this.#req = req;
    this.#res = res;
    this.#clock = clock;
    this.gone = goneController(res).signal;
    const cacheControl = 'no-store';
    this.#stream = new EventStream(res, { clock, heartbeat, signal: this.gone, cacheControl });
    res.once('close', () => this.#stream.close());
  }

  json(status: number, body: unknown): void {
    this.#head(status);
    sendJson(this.#res, JSON.stringify(body));
  }

  fail(failure: Failure): void {
    this.failure = failure;
    const { close, code, field, message } = failure;
    const body = JSON.stringify({
      error: { code, message, ...(field !== undefined && { field }) },
    });
    const res = this.#res;
    if (res.writableEnded) return;
    if (res.headersSent) {
      this.#stream.event(body, { name: 'error' });
      res.end();
      return;
    }
    setFailureHeaders(res, failure);
    if (code === 'UNAUTHENTICATED') res.setHeader('WWW-Authenticate', 'Bearer');
    this.#head(ERRORS[code].http);
    if (close === true) sendJsonAndClose(this.#req, res, body, this.#clock);
    else sendJson(res, body);
  }

  /** Opens the stream of events; from then on a comment shows now and then that it is alive. */
  open(): void {
    this.#stream.open();
  }

  event(name: string, data: unknown, id?: number): void {
    this.#stream.event(JSON.stringify(data), { name, ...(id !== undefined && { id }) });
  }

  /** Waits until the client has taken what was written, so that a slow one costs no memory. */
  drained(): Promise<void> {
    return this.#stream.drained();
  }

  end(): void {
    if (!this.#res.writableEnded) this.#res.end();
  }

  #head(status: number): void {
    const res = this.#res;
    res.statusCode = status;
    res.setHeader('Content-Type', 'application/json; charset=utf-8');
    // An operator whose right was taken away must not find it in a cache.
    res.setHeader('Cache-Control', 'no-store');
  }
}

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
  /** Aborts when the process is about to go away. */
  readonly closing?: AbortSignal | undefined;
}

/** The answer to one request: JSON, or a stream of events. */
export class Reply {
  readonly #req: IncomingMessage;
  readonly #res: ServerResponse;
  readonly #clock: Clock;
  readonly #closing: AbortSignal | undefined;
  readonly #stream: EventStream;
  /** Aborts when the response has ended or its client is gone. */
  readonly gone: AbortSignal;
  failure: Failure | undefined;

  constructor(
    req: IncomingMessage,
    res: ServerResponse,
    { clock, closing, heartbeat }: ReplyOptions,
  ) {
    this.#req = req;
    this.#res = res;
    this.#clock = clock;
    this.#closing = closing;
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

  /**
   * Sends bytes that someone else made, as a file to be kept: no browser shows them, and none makes
   * more of them than that. In chunks, because platforms bound answers that announce their length.
   */
  async bytes(name: string, body: AsyncIterable<Uint8Array>): Promise<void> {
    const res = this.#res;
    this.#head(200);
    res.setHeader('Content-Type', 'application/octet-stream');
    const plain = name.replaceAll(/[^\w.-]/g, '_');
    const whole = encodeURIComponent(name.toWellFormed()).replaceAll("'", '%27');
    res.setHeader(
      'Content-Disposition',
      `attachment; filename="${plain}"; filename*=UTF-8''${whole}`,
    );
    res.setHeader('Content-Security-Policy', "default-src 'none'; sandbox");
    try {
      for await (const piece of body) {
        if (this.gone.aborted) return;
        res.write(piece);
        await this.drained();
      }
      res.end();
    } catch (error) {
      if (!res.headersSent) throw error;
      // Cut off, so that what came is taken for no whole file.
      res.destroy();
    }
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

  /** What a client that was cut off had got; undefined if it says nothing of that. */
  get lastEventId(): string | undefined {
    const value = this.#req.headers['last-event-id'];
    return Array.isArray(value) ? value[0] : value;
  }

  /**
   * Aborts when a stream is to end: its client is gone, it lasted for that many milliseconds, or
   * the process is about to go.
   */
  planned(life: number): AbortSignal {
    const over = new AbortController();
    const end = (): void => over.abort('the stream is over');
    const cancel = this.#clock.after(life, end);
    this.#closing?.addEventListener('abort', end, { once: true });
    this.gone.addEventListener('abort', () => {
      cancel();
      this.#closing?.removeEventListener('abort', end);
      end();
    });
    if (this.#closing?.aborted === true) end();
    return over.signal;
  }

  /** Ends the stream, with a comment that says why if it ends before its client has left. */
  end(why?: string): void {
    if (this.#res.writableEnded) return;
    if (why !== undefined && !this.gone.aborted) this.#stream.comment(why);
    this.#res.end();
  }

  #head(status: number): void {
    const res = this.#res;
    res.statusCode = status;
    res.setHeader('Content-Type', 'application/json; charset=utf-8');
    // An operator whose right was taken away must not find it in a cache.
    res.setHeader('Cache-Control', 'no-store');
  }
}

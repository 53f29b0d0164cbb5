import type { Response } from 'express';
import type { Clock } from '../ports/clock.ts';
import { ERRORS } from './error-table.ts';
import type { Failure } from './failure.ts';

export interface ReplyOptions {
  readonly clock: Clock;
  readonly heartbeat: number;
}

const EVENTS: Readonly<Record<string, string>> = {
  'Content-Type': 'text/event-stream',
  'Cache-Control': 'no-store',
  Connection: 'keep-alive',
  'X-Accel-Buffering': 'no',
};

/** The answer to one request: JSON, or a stream of events. */
export class Reply {
  readonly #res: Response;
  readonly #options: ReplyOptions;
  readonly #gone = new AbortController();
  #cancelBeat: () => void = () => undefined;
  failure: Failure | undefined;

  constructor(res: Response, options: ReplyOptions) {
    this.#res = res;
    this.#options = options;
    res.once('close', () => {
      this.#cancelBeat();
      this.#gone.abort('the response is over');
    });
  }

  /** Aborts when the response has ended or its client is gone. */
  get gone(): AbortSignal {
    return this.#gone.signal;
  }

  json(status: number, body: unknown): void {
    const res = this.#res;
    res.statusCode = status;
    res.setHeader('Content-Type', 'application/json; charset=utf-8');
    // Whoever may not see it any more must not find it in a cache.
    res.setHeader('Cache-Control', 'no-store');
    res.end(JSON.stringify(body));
  }

  fail(failure: Failure): void {
    this.failure = failure;
    const { allow, code, field, message } = failure;
    const body = { error: { code, message, ...(field !== undefined && { field }) } };
    const res = this.#res;
    if (res.writableEnded) return;
    if (res.headersSent) {
      res.end(`event: error\ndata: ${JSON.stringify(body)}\n\n`);
      return;
    }
    if (allow !== undefined) res.setHeader('Allow', allow);
    if (code === 'UNAUTHENTICATED') res.setHeader('WWW-Authenticate', 'Bearer');
    if (code === 'UNAVAILABLE') res.setHeader('Retry-After', 1);
    this.json(ERRORS[code].http, body);
  }

  /** Opens the stream of events; from then on a comment shows now and then that it is alive. */
  open(): void {
    const res = this.#res;
    res.statusCode = 200;
    for (const [name, value] of Object.entries(EVENTS)) res.setHeader(name, value);
    res.flushHeaders();
    this.#beat();
  }

  event(name: string, data: unknown, id?: number): void {
    if (this.gone.aborted) return;
    const head = id === undefined ? '' : `id: ${id}\n`;
    this.#res.write(`${head}event: ${name}\ndata: ${JSON.stringify(data)}\n\n`);
  }

  /** Waits until the client has taken what was written, so that a slow one costs no memory. */
  async drained(): Promise<void> {
    const res = this.#res;
    if (!res.writableNeedDrain || this.gone.aborted) return;
    await new Promise<void>((resolve) => {
      const done = () => {
        res.off('drain', done);
        this.gone.removeEventListener('abort', done);
        resolve();
      };
      res.once('drain', done);
      this.gone.addEventListener('abort', done, { once: true });
    });
  }

  end(): void {
    if (!this.#res.writableEnded) this.#res.end();
  }

  #beat(): void {
    const { clock, heartbeat } = this.#options;
    this.#cancelBeat = clock.after(heartbeat, () => {
      if (this.gone.aborted) return;
      // A client that does not even take events needs no sign of life.
      if (!this.#res.writableNeedDrain) this.#res.write(': keep-alive\n\n');
      this.#beat();
    });
  }
}

import type { ServerResponse } from 'node:http';
import type { Clock } from '../ports/clock.ts';

/** Proxies must neither keep an event stream nor hold it back. */
export const EVENT_HEADERS: Readonly<Record<string, string>> = {
  'Content-Type': 'text/event-stream',
  'Cache-Control': 'no-cache',
  Connection: 'keep-alive',
  'X-Accel-Buffering': 'no',
};

export interface EventStreamOptions {
  readonly clock: Clock;
  /** Milliseconds of silence after which a comment shows that the stream is alive. */
  readonly heartbeat: number;
  /** Aborts when the client is gone, or nothing more is wanted. */
  readonly signal: AbortSignal;
  readonly cacheControl?: string;
}

/** Server-sent events on one response: headers, heartbeat, back-pressure. */
export class EventStream {
  readonly #res: ServerResponse;
  readonly #options: EventStreamOptions;
  #opened = false;
  #bytes = 0;
  #cancelBeat: () => void = () => undefined;

  constructor(res: ServerResponse, options: EventStreamOptions) {
    this.#res = res;
    this.#options = options;
  }

  get opened(): boolean {
    return this.#opened;
  }

  /** Characters of the events so far. */
  get size(): number {
    return this.#bytes;
  }

  /** Sends the headers now, so that a stream which has nothing to say yet is open all the same. */
  open(): void {
    if (this.#opened) return;
    this.#opened = true;
    const res = this.#res;
    const { cacheControl } = this.#options;
    res.statusCode = 200;
    for (const [name, value] of Object.entries(EVENT_HEADERS)) res.setHeader(name, value);
    if (cacheControl !== undefined) res.setHeader('Cache-Control', cacheControl);
    res.flushHeaders();
    this.#beat();
  }

  /** Writes an event whose data is one line of text. */
  event(data: string, { id, name }: { readonly id?: number; readonly name?: string } = {}): void {
    if (this.#options.signal.aborted) return;
    const head = `${id === undefined ? '' : `id: ${id}\n`}${name === undefined ? '' : `event: ${name}\n`}`;
    this.#bytes += data.length;
    this.#res.write(`${head}data: ${data}\n\n`);
  }

  comment(text: string): void {
    this.#res.write(`: ${text}\n\n`);
  }

  /** Waits until the client has taken what was written, so that a slow one costs no memory. */
  async drained(): Promise<void> {
    const res = this.#res;
    const { signal } = this.#options;
    if (!res.writableNeedDrain || signal.aborted) return;
    await new Promise<void>((resolve) => {
      const done = () => {
        res.off('drain', done);
        signal.removeEventListener('abort', done);
        resolve();
      };
      res.once('drain', done);
      signal.addEventListener('abort', done, { once: true });
    });
  }

  /** Stops the heartbeat; the response stays the caller's to end. */
  close(): void {
    this.#cancelBeat();
  }

  #beat(): void {
    const { clock, heartbeat, signal } = this.#options;
    this.#cancelBeat = clock.after(heartbeat, () => {
      if (signal.aborted) return;
      // A client that does not even take events needs no sign of life.
      if (!this.#res.writableNeedDrain) this.comment('keep-alive');
      this.#beat();
    });
  }
}

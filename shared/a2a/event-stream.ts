import type { Response } from 'express';
import type { Settings } from '../domain/settings.ts';
import type { Clock } from '../ports/clock.ts';

/** Section 9.4.2 and 11.7; proxies must neither buffer nor keep an event stream. */
const HEADERS: Readonly<Record<string, string>> = {
  'Content-Type': 'text/event-stream',
  'Cache-Control': 'no-cache',
  Connection: 'keep-alive',
  'X-Accel-Buffering': 'no',
};

export interface StreamOptions {
  readonly clock: Clock;
  readonly settings: Pick<Settings, 'heartbeat' | 'streamLife'>;
  /** Aborts when the process is about to go away. */
  readonly closing?: AbortSignal;
}

/**
 * What the SDK's SSE writer leaves out: event ids, a heartbeat, back-pressure, and an end that the client can tell from a cut.
 * The SDK still writes each event's data; this writes what stands around it.
 */
export class EventStream {
  readonly #res: Response;
  readonly #gone: AbortSignal;
  readonly #options: StreamOptions;
  readonly #over = new AbortController();
  #open = false;
  #planned = false;
  #cancelBeat: () => void = () => undefined;
  readonly #cancelLife: () => void;

  constructor(res: Response, gone: AbortSignal, options: StreamOptions) {
    this.#res = res;
    this.#gone = gone;
    this.#options = options;
    const { clock, settings, closing } = options;
    gone.addEventListener('abort', this.#stop, { once: true });
    closing?.addEventListener('abort', this.#plan, { once: true });
    this.#cancelLife = clock.after(settings.streamLife, this.#plan);
    if (gone.aborted) this.#stop();
    if (closing?.aborted === true) this.#plan();
  }

  /** Aborts when no further frame is wanted: the client is gone, or the stream's time is over. */
  get signal(): AbortSignal {
    return this.#over.signal;
  }

  /** Sends the headers now, so that a stream which has nothing to say yet is open all the same. */
  open(): void {
    if (this.#open) return;
    this.#open = true;
    const res = this.#res;
    // The SDK opens v0.3's resubscribe itself.
    if (!res.headersSent) {
      res.statusCode = 200;
      for (const [name, value] of Object.entries(HEADERS)) res.setHeader(name, value);
      res.flushHeaders();
    }
    // The SDK sets the same headers again before its first write, which would throw by now.
    Object.assign(res, { setHeader: () => res });
    this.#beat();
  }

  /** Begins the next event; the SDK's data line completes it. */
  mark(seq: number): void {
    this.#res.write(`id: ${seq}\n`);
  }

  /** Waits until the client has taken what was written, so that a slow one costs no memory. */
  async drained(): Promise<void> {
    const res = this.#res;
    if (!res.writableNeedDrain || this.signal.aborted) return;
    await new Promise<void>((resolve) => {
      const done = () => {
        res.off('drain', done);
        this.signal.removeEventListener('abort', done);
        resolve();
      };
      res.once('drain', done);
      this.signal.addEventListener('abort', done, { once: true });
    });
  }

  /** Frees everything; after a planned end it also tells the client that the task goes on. */
  close(): void {
    if (this.#planned && !this.#gone.aborted) {
      this.open();
      this.#res.write(': closing, resume with Last-Event-ID\n\n');
    }
    this.#cancelBeat();
    this.#cancelLife();
    this.#gone.removeEventListener('abort', this.#stop);
    this.#options.closing?.removeEventListener('abort', this.#plan);
    this.#stop();
  }

  #beat(): void {
    const { clock, settings } = this.#options;
    this.#cancelBeat = clock.after(settings.heartbeat, () => {
      if (this.signal.aborted) return;
      // A client that does not even take events needs no sign of life.
      if (!this.#res.writableNeedDrain) this.#res.write(': keep-alive\n\n');
      this.#beat();
    });
  }

  readonly #stop = (): void => {
    this.#over.abort();
  };

  readonly #plan = (): void => {
    this.#planned = true;
    this.#over.abort();
  };
}

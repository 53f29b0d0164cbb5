import type { ServerResponse } from 'node:http';
import type { Settings } from '../domain/settings.ts';
import { EventStream } from '../http/event-stream.ts';
import type { Clock } from '../ports/clock.ts';

export interface StreamOptions {
  readonly clock: Clock;
  readonly settings: Pick<Settings, 'heartbeat' | 'streamLife' | 'streamBytes'>;
  /** Aborts when the process is about to go away. */
  readonly closing?: AbortSignal;
}

/**
 * A stream with an end that its client can tell from a cut: its time is over, it has carried as
 * much as a platform lets one answer carry, or the process is about to go. The task goes on, and
 * the client subscribes again.
 */
export class TaskStream {
  readonly #events: EventStream;
  readonly #gone: AbortSignal;
  readonly #options: StreamOptions;
  readonly #over = new AbortController();
  #planned = false;
  readonly #cancelLife: () => void;

  constructor(res: ServerResponse, gone: AbortSignal, options: StreamOptions) {
    this.#gone = gone;
    this.#options = options;
    const { clock, settings, closing } = options;
    this.#events = new EventStream(res, {
      clock,
      heartbeat: settings.heartbeat,
      signal: this.#over.signal,
    });
    gone.addEventListener('abort', this.#stop, { once: true });
    closing?.addEventListener('abort', this.#plan, { once: true });
    this.#cancelLife = clock.after(settings.streamLife, this.#plan);
    if (gone.aborted) this.#stop();
    if (closing?.aborted === true) this.#plan();
  }

  /** Aborts when no further event is wanted. */
  get signal(): AbortSignal {
    return this.#over.signal;
  }

  open(): void {
    this.#events.open();
  }

  /**
   * Sends an event and waits until the client has taken it; the last one that a stream can carry
   * plans its end.
   */
  async send(text: string, seq: number | undefined): Promise<void> {
    this.open();
    this.#events.event(text, seq === undefined ? {} : { id: seq });
    await this.#events.drained();
    if (this.#events.size >= this.#options.settings.streamBytes) this.#plan();
  }

  /** Frees everything; after a planned end it also tells the client that the task goes on. */
  close(): void {
    if (this.#planned && !this.#gone.aborted) {
      this.open();
      this.#events.comment('closing, resume with Last-Event-ID');
    }
    this.#events.close();
    this.#cancelLife();
    this.#gone.removeEventListener('abort', this.#stop);
    this.#options.closing?.removeEventListener('abort', this.#plan);
    this.#stop();
  }

  readonly #stop = (): void => {
    this.#over.abort('nothing more is wanted');
  };

  readonly #plan = (): void => {
    this.#planned = true;
    this.#over.abort('the stream ends as planned');
  };
}

import type { Settings } from '../domain/settings.ts';
import type { Clock } from '../ports/clock.ts';
import type { EventSink } from './event-sink.ts';

export interface StreamOptions {
  readonly clock: Clock;
  readonly settings: Pick<Settings, 'heartbeat' | 'streamLife' | 'streamBytes'>;
  /** Aborts when the process is about to go away. */
  readonly closing?: AbortSignal;
}

/** A stream that has carried less than this has sent no content yet. */
const BARE = 64 * 1024;

/**
 * A stream with an end that its client can tell from a cut: its time is over, it has carried as
 * much as a platform lets one answer carry, or the process is about to go. The task goes on, and
 * the client subscribes again.
 */
export class TaskStream<Encoded extends { readonly length: number }> {
  readonly #sink: EventSink<Encoded>;
  readonly #over: AbortController;
  readonly #options: StreamOptions;
  readonly #cancelLife: () => void;
  #planned = false;

  /**
   * `over` is the request's own: it aborts when the client is gone, and this aborts it at a planned
   * end.
   */
  constructor(sink: EventSink<Encoded>, over: AbortController, options: StreamOptions) {
    this.#sink = sink;
    this.#over = over;
    this.#options = options;
    const { clock, settings, closing } = options;
    closing?.addEventListener('abort', this.#plan, { once: true });
    this.#cancelLife = clock.after(settings.streamLife, this.#plan);
    if (closing?.aborted === true) this.#plan();
  }

  /** Aborts when no further event is wanted. */
  get signal(): AbortSignal {
    return this.#over.signal;
  }

  /**
   * Sends an event and waits until the client has taken it; the last one that a stream can carry
   * plans its end. One that would be too much beside what was sent is left to the next stream.
   */
  async send(encoded: Encoded, seq: number | undefined): Promise<void> {
    const sink = this.#sink;
    sink.open();
    const { streamBytes } = this.#options.settings;
    if (sink.size > BARE && sink.size + encoded.length > streamBytes) {
      this.#plan();
      return;
    }
    sink.event(encoded, seq);
    await sink.drained();
    if (sink.size >= streamBytes) this.#plan();
  }

  /** Frees everything; after a planned end it also tells the client that the task goes on. */
  close(): void {
    if (this.#planned) this.#sink.sayPlanned();
    this.#sink.close();
    this.#cancelLife();
    this.#options.closing?.removeEventListener('abort', this.#plan);
    this.#over.abort('the stream is over');
  }

  readonly #plan = (): void => {
    if (this.signal.aborted) return;
    this.#planned = true;
    this.#over.abort('the stream ends as planned');
  };
}

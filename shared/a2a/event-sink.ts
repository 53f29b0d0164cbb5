import type { ServerResponse } from 'node:http';
import { EventStream, type EventStreamOptions } from '../http/event-stream.ts';

/** Where the events of a stream go, in the way of a binding. */
export interface EventSink<Encoded> {
  /** How much the events so far were, in the unit of `length`. */
  readonly size: number;
  /** Begins the answer, once. */
  open(): void;
  event(encoded: Encoded, seq: number | undefined): void;
  /** Waits until the client has taken what was written. */
  drained(): Promise<void>;
  /** Tells the client that the stream ends and the task goes on. */
  sayPlanned(): void;
  /** Frees what it held. */
  close(): void;
}

/** Server-sent events on a response that stays the caller's to end. */
export function sseSink(res: ServerResponse, options: EventStreamOptions): EventSink<string> {
  const events = new EventStream(res, options);
  return {
    get size() {
      return events.size;
    },
    open: () => events.open(),
    event: (text, seq) => events.event(text, seq === undefined ? {} : { id: seq }),
    drained: () => events.drained(),
    sayPlanned() {
      if (res.destroyed) return;
      events.open();
      events.comment('closing, resume with Last-Event-ID');
    },
    close: () => events.close(),
  };
}

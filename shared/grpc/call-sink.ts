import type { EventSink } from '../a2a/event-sink.ts';
import type { GrpcCall } from './grpc-call.ts';
import { statusOf } from './grpc-status.ts';

/** The messages of a server-streaming call. */
export function callSink(call: GrpcCall): EventSink<Uint8Array> {
  const { stream } = call;
  let size = 0;
  let last: number | undefined;
  return {
    get size() {
      return size;
    },
    open: () => call.begin(),
    event(message, seq) {
      size += message.length;
      last = seq;
      call.send(message);
    },
    async drained() {
      const { signal } = call.over;
      if (!stream.writableNeedDrain || signal.aborted) return;
      await new Promise<void>((resolve) => {
        const done = (): void => {
          stream.off('drain', done);
          signal.removeEventListener('abort', done);
          resolve();
        };
        stream.once('drain', done);
        signal.addEventListener('abort', done, { once: true });
      });
    },
    sayPlanned() {
      const metadata = last === undefined ? {} : { lastEventId: String(last) };
      const message = 'The stream ends as planned; subscribe again with last-event-id.';
      call.end(statusOf({ code: 'STREAM_OVER', message, metadata }));
    },
    close: () => undefined,
  };
}

import type { IncomingHttpHeaders } from 'node:http';
import { performance } from 'node:perf_hooks';
import type * as grpc from '@grpc/grpc-js';
import { failureOf, type GrpcFailure, type Metadata, streamGrpc } from './grpc-wire.ts';
import { EventStream, type Frame } from './stream.ts';
import type { WireEvent } from './wire.ts';

/** Opens a stream; what it was refused with if that is all that came. */
export function openGrpcStream(
  address: string,
  operation: string,
  params: object,
  metadata: Metadata,
): Promise<EventStream | GrpcFailure> {
  const { call, close } = streamGrpc(address, operation, params, metadata);
  return new Promise((resolve, reject) => {
    const refused = (error: grpc.ServiceError): void => {
      close();
      try {
        resolve(failureOf(error));
      } catch (fault) {
        reject(fault instanceof Error ? fault : new Error(String(fault)));
      }
    };
    call.once('error', refused);
    call.once('metadata', (given: grpc.Metadata) => {
      // A call that is refused has its status with its headers, and no message.
      call.once('readable', () => {
        if (call.readableLength === 0) return;
        call.off('error', refused);
        resolve(new GrpcStream(call, given, close));
      });
    });
  });
}

/** The planned end of a stream is a status of its own. */
class GrpcStream extends EventStream {
  readonly headers: IncomingHttpHeaders;
  readonly #call: grpc.ClientReadableStream<unknown>;

  constructor(
    call: grpc.ClientReadableStream<unknown>,
    metadata: grpc.Metadata,
    close: () => void,
  ) {
    super();
    this.#call = call;
    this.headers = Object.fromEntries(
      Object.entries(metadata.getMap()).map(([key, value]) => [key, String(value)]),
    );
    call.on('data', (message: WireEvent) => {
      this.frames.push(frameOf(message));
      this.arrived();
    });
    call.on('error', (error: grpc.ServiceError) => {
      const { reasons } = failureOf(error);
      if (reasons.includes('STREAM_OVER')) this.comments.push(error.details);
      this.#over(reasons.includes('STREAM_OVER') ? 'ended' : 'cut', close);
    });
    call.on('end', () => this.#over('ended', close));
  }

  reset(): void {
    this.#call.cancel();
  }

  leave(): void {
    this.#call.cancel();
  }

  pause(): void {
    this.#call.pause();
  }

  resume(): void {
    this.#call.resume();
  }

  #over(end: 'ended' | 'cut', close: () => void): void {
    if (this.end === 'open') this.end = end;
    close();
    this.arrived();
  }
}

/** A position lies in the metadata of what it is the position of. */
function frameOf(message: WireEvent): Frame {
  const at = performance.now();
  const [[kind, event] = ['', {}]] = Object.entries(message) as [string, WithMetadata][];
  const { metadata: { eventId, ...others } = {}, ...rest } = event;
  const known = Object.keys(others).length === 0 ? {} : { metadata: others };
  return {
    at,
    seq: typeof eventId === 'number' ? eventId : undefined,
    event: { [kind]: { ...rest, ...known } } as unknown as WireEvent,
  };
}

interface WithMetadata {
  readonly metadata?: Readonly<Record<string, unknown>>;
}

import {
  contextOf,
  printTraceparent,
  type TraceContext,
  type Traceparent,
} from '../../shared/domain/trace-context.ts';
import type { Attributes, Tracer } from '../../shared/ports/tracer.ts';

export interface Recorded {
  readonly name: string;
  readonly context: Traceparent;
  readonly parent: Traceparent | undefined;
  readonly links: readonly Traceparent[];
  readonly attributes: Record<string, string | number | boolean | undefined>;
  ended: boolean;
  fault: string | undefined;
}

const hex = (number: number, length: number): string => number.toString(16).padStart(length, '0');

/** Keeps every span in the order in which they began. */
export class RecordingTracer implements Tracer {
  readonly spans: Recorded[] = [];
  flushed = 0;
  #traces = 0;

  start(
    name: string,
    { parent, links = [], attributes = {} }: Parameters<Tracer['start']>[1],
  ): ReturnType<Tracer['start']> {
    const context: TraceContext = {
      traceId: parent === undefined ? hex((this.#traces += 1), 32) : contextOf(parent).traceId,
      spanId: hex(this.spans.length + 1, 16),
      sampled: true,
    };
    const span: Recorded = {
      name,
      parent,
      links,
      context: printTraceparent(context),
      attributes: { ...attributes },
      ended: false,
      fault: undefined,
    };
    this.spans.push(span);
    return {
      context: span.context,
      set: (more: Attributes) => void Object.assign(span.attributes, more),
      fail(fault) {
        span.fault = fault;
      },
      end(fault) {
        span.fault = fault ?? span.fault;
        span.ended = true;
      },
    };
  }

  flush(): Promise<void> {
    this.flushed += 1;
    return Promise.resolve();
  }

  named(name: string): readonly Recorded[] {
    return this.spans.filter((span) => span.name === name);
  }

  /** A span's name behind those of all that it is within, as `accept > wake-up > claim`. */
  way(span: Recorded): string {
    const parent = this.spans.find(({ context }) => context === span.parent);
    return parent === undefined ? span.name : `${this.way(parent)} > ${span.name}`;
  }
}

export const traceIdOf = (trace: Traceparent): string => contextOf(trace).traceId;

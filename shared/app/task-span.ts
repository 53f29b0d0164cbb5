import type { Attributes, SpanKind } from '../ports/tracer.ts';

/**
 * A piece of a task's trace, for the code of agents: what it does within it can be told by name.
 * Names and attributes are the author's words: never content.
 */
export interface TaskSpan {
  /**
   * The header `traceparent` (W3C Trace Context) for calls that belong to it. Absent: there is no
   * trace.
   */
  readonly traceparent?: string;
  /** An attribute whose name has no dot is told as `agent.<name>`. */
  set(attributes: Attributes): void;
  /**
   * Does the work as a span within this one, which fails if the work throws. Where nothing is
   * traced it only does the work.
   */
  span<T>(
    name: string,
    work: (span: TaskSpan) => T | Promise<T>,
    attributes?: Attributes,
    kind?: SpanKind,
  ): Promise<T>;
}

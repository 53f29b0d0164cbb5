import type { Millis } from '../domain/brand.ts';
import type { Traceparent } from '../domain/trace-context.ts';

/** What is traced by the code itself; a fixed set, so that no id and no content becomes a name. */
export type SpanName =
  | 'a2a request'
  | 'accept'
  | 'answer'
  | 'decide'
  | 'wake-up'
  | 'claim'
  | 'segment'
  | 'commit'
  | 'project'
  | 'archive'
  | 'files'
  | 'sweep'
  | 'reap';

/**
 * Ids that were made here, counts, statuses and fault names, as in the log: never content, nor ids
 * that a client chose.
 */
export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

export type SpanKind = 'internal' | 'server' | 'consumer' | 'client';

export interface SpanOptions {
  /** Absent: a new trace begins. */
  readonly parent?: Traceparent | undefined;
  readonly kind?: SpanKind;
  readonly attributes?: Attributes;
  /** What else led to this, in other traces. */
  readonly links?: readonly Traceparent[];
}

export interface Span {
  /** What its children name as their parent. */
  readonly context: Traceparent;
  set(attributes: Attributes): void;
  /** It counts as failed, whatever ends it: for a fault that was dealt with. */
  fail(fault: string): void;
  /**
   * `fault` is the name of what went wrong; then the span counts as failed. Ending it again changes
   * nothing.
   */
  end(fault?: string): void;
}

/** Absent: tracing is off, and no span is made. */
export interface Tracer {
  /** Besides SpanName: names that an agent's author gave, to tools and models too. */
  start(name: string, options: SpanOptions): Span;
  /** Has what ended sent away. Never throws; what is not sent after `within` may be lost. */
  flush(within: Millis): Promise<void>;
}

import type { Traceparent } from '../domain/trace-context.ts';

export type LogLevel = 'debug' | 'info' | 'warning' | 'error';

/**
 * What was thrown, with its words, which may hold content: only a log that stays with its author
 * shows them. As JSON it is nothing, so that no other log can.
 */
export class Thrown {
  readonly error: unknown;

  constructor(error: unknown) {
    this.error = error;
  }

  toJSON(): undefined {
    return undefined;
  }
}

/** Ids, counts, statuses and fault names; never content, never personal data. */
export type LogFields = Readonly<
  Record<string, string | number | boolean | null | undefined | Thrown>
>;

export interface Log {
  /** `trace` is the span that the line belongs to. */
  write(level: LogLevel, event: string, fields?: LogFields, trace?: Traceparent): void;
}

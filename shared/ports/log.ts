import type { Traceparent } from '../domain/trace-context.ts';

export type LogLevel = 'debug' | 'info' | 'warning' | 'error';

/** Ids, counts, statuses and fault names; never content, never personal data. */
export type LogFields = Readonly<Record<string, string | number | boolean | null | undefined>>;

export interface Log {
  /** `trace` is the span that the line belongs to. */
  write(level: LogLevel, event: string, fields?: LogFields, trace?: Traceparent): void;
}

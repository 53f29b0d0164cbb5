import type { Traceparent } from '../domain/trace-context.ts';

export type LogLevel = 'debug' | 'info' | 'warning' | 'error';

/** Where and what, never whose words: ids, counts, statuses and fault names; no content, no personal data. */
export type LogFields = Readonly<Record<string, string | number | boolean | null | undefined>>;

export interface Log {
  /** `trace` is the span that the line belongs to. */
  write(level: LogLevel, event: string, fields?: LogFields, trace?: Traceparent): void;
}

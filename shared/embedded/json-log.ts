import type { Clock } from '../ports/clock.ts';
import type { Log, LogLevel } from '../ports/log.ts';

/** The names that Google Cloud Logging knows (https://cloud.google.com/logging/docs/structured-logging). */
const SEVERITY = {
  debug: 'DEBUG',
  info: 'INFO',
  warning: 'WARNING',
  error: 'ERROR',
} as const satisfies Record<LogLevel, string>;
const LEVELS: readonly LogLevel[] = ['debug', 'info', 'warning', 'error'];

export interface JsonLogOptions {
  readonly stream: { write(line: string): unknown };
  readonly clock: Pick<Clock, 'now'>;
  /** What is less is not written. */
  readonly level?: LogLevel;
}

/** One JSON object a line. Adds the time, the severity and the event's name; everything else is as given. */
export function jsonLog({ stream, clock, level = 'info' }: JsonLogOptions): Log {
  const threshold = LEVELS.indexOf(level);
  return {
    write(at, event, fields) {
      if (LEVELS.indexOf(at) < threshold) return;
      const time = new Date(clock.now()).toISOString();
      stream.write(
        `${JSON.stringify({ ...fields, severity: SEVERITY[at], time, message: event })}\n`,
      );
    },
  };
}

import { contextOf, type Traceparent } from '../domain/trace-context.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log, LogLevel } from '../ports/log.ts';

/**
 * The names that Google Cloud Logging knows
 * (https://cloud.google.com/logging/docs/structured-logging).
 */
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
  /** The Google Cloud project whose traces the lines are shown with. */
  readonly project?: string;
}

/**
 * One JSON object a line. Adds the time, the severity and the event's name; everything else is as
 * given.
 */
export function jsonLog({ stream, clock, level = 'info', project }: JsonLogOptions): Log {
  const threshold = LEVELS.indexOf(level);
  return {
    write(at, event, fields, trace) {
      if (LEVELS.indexOf(at) < threshold) return;
      const time = new Date(clock.now()).toISOString();
      stream.write(
        `${JSON.stringify({ ...fields, ...traceFields(trace, project), severity: SEVERITY[at], time, message: event })}\n`,
      );
    },
  };
}

/**
 * Cloud Logging's special fields, by which Cloud Trace shows a line with its span (the page cited
 * above).
 */
function traceFields(trace: Traceparent | undefined, project: string | undefined): object {
  if (trace === undefined) return {};
  const { traceId, spanId, sampled } = contextOf(trace);
  if (project === undefined) return { trace: traceId };
  return {
    'logging.googleapis.com/trace': `projects/${project}/traces/${traceId}`,
    'logging.googleapis.com/spanId': spanId,
    'logging.googleapis.com/trace_sampled': sampled,
  };
}

import { contextOf, type Traceparent } from '../domain/trace-context.ts';
import type { Clock } from '../ports/clock.ts';
import { type Log, type LogFields, type LogLevel, Thrown } from '../ports/log.ts';
import { errorWords } from '../domain/error-words.ts';
import { isWritten } from './log-levels.ts';

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

export interface JsonLogOptions {
  readonly stream: { write(line: string): unknown };
  readonly clock: Pick<Clock, 'now'>;
  /** What is less is not written. */
  readonly level?: LogLevel;
  /** The Google Cloud project whose traces the lines are shown with. */
  readonly project?: string;
  /** With the words of what was thrown, which may hold content: for one machine alone. */
  readonly words?: boolean;
}

/**
 * One JSON object a line. Adds the time, the severity and the event's name; everything else is as
 * given.
 */
export function jsonLog(options: JsonLogOptions): Log {
  const { clock, level = 'info', project, stream, words = false } = options;
  return {
    write(at, event, fields, trace) {
      if (!isWritten(at, level)) return;
      const time = new Date(clock.now()).toISOString();
      const said = words ? withWords(fields) : fields;
      stream.write(
        `${JSON.stringify({ ...said, ...traceFields(trace, project), severity: SEVERITY[at], time, message: event })}\n`,
      );
    },
  };
}

function withWords(fields: LogFields = {}): object {
  const pairs = Object.entries(fields).map(([name, value]) =>
    value instanceof Thrown ? [name, errorWords(value.error)] : [name, value],
  );
  return Object.fromEntries(pairs) as object;
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

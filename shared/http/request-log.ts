import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Traceparent } from '../domain/trace-context.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log, LogFields } from '../ports/log.ts';

export interface RequestLogOptions {
  readonly clock: Clock;
  readonly log: Log;
  /** Name of the line. */
  readonly event: string;
  /**
   * What the log may know of a request: never its path, which holds ids, nor who asked, nor
   * content. Asked when it is over.
   */
  readonly facts: () => LogFields;
  readonly trace?: Traceparent | undefined;
}

/** Writes one line when the response is over, whichever side ended it. */
export function logRequest(
  req: IncomingMessage,
  res: ServerResponse,
  { clock, event, facts, log, trace }: RequestLogOptions,
): void {
  const started = clock.now();
  res.on('close', () => {
    const line = {
      ...facts(),
      httpMethod: req.method ?? '',
      status: res.statusCode,
      complete: res.writableFinished,
      milliseconds: clock.now() - started,
    };
    log.write('info', event, line, trace);
  });
}

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

/** An answer as far as a log or a trace looks at it; a ServerResponse is one. */
export interface Ending {
  on(event: 'close', listener: () => void): unknown;
  readonly statusCode: number;
  readonly writableFinished: boolean;
}

/** Writes one line when the response is over, whichever side ended it. */
export function logRequest(
  req: { readonly method?: string | undefined },
  res: Ending,
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

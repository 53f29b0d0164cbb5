import type { Request, Response } from 'express';
import type { Traceparent } from '../domain/trace-context.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';

/** What the log may know of a request: never its path, which holds ids, and never its content. */
export interface RequestFacts {
  agent?: string | undefined;
  operation?: string;
  version?: string;
  failure?: string;
}

/** Writes one line when the response is over, whoever ended it. */
export function logRequest(
  req: Request,
  res: Response,
  facts: () => RequestFacts,
  { clock, log }: { readonly clock: Clock; readonly log: Log },
  trace?: Traceparent,
): void {
  const started = clock.now();
  res.once('close', () => {
    const line = {
      ...facts(),
      httpMethod: req.method,
      status: res.statusCode,
      complete: res.writableFinished,
      milliseconds: clock.now() - started,
    };
    log.write('info', 'a2a.request', line, trace);
  });
}

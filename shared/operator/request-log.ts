import type { Request, Response } from 'express';
import { traceparent } from '../domain/trace-context.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';

/** Writes one line when the response is over, whoever ended it: never the path, which holds ids, nor who asked, nor content. */
export function logRequest(
  req: Request,
  res: Response,
  { clock, log }: { readonly clock: Clock; readonly log: Log },
  facts: () => { readonly operation: string | undefined; readonly failure: string | undefined },
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
    log.write('info', 'operator.request', line, traceparent(req.get('traceparent')));
  });
}

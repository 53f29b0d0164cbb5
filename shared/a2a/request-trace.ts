import type { IncomingHttpHeaders } from 'node:http';
import { type Traceparent, traceparent } from '../domain/trace-context.ts';
import type { Ending } from '../http/request-log.ts';
import type { Clock } from '../ports/clock.ts';
import type { Tracer } from '../ports/tracer.ts';

export type RequestFacts = Readonly<
  Record<'agent' | 'operation' | 'version' | 'failure', string | undefined>
>;

/**
 * A request that is still open after this long sends the spans that ended within it: its end may be
 * minutes away.
 */
const SOON = 2_000;
const WITHIN = 5_000;

/**
 * The trace of a request: its caller's, or one that begins here. Its spans are sent while a request
 * is open, this one's own span with the next: nothing happens after a response ends, and no answer
 * waits for a collector.
 */
export function traceRequest(
  req: { readonly headers: IncomingHttpHeaders; readonly method?: string | undefined },
  res: Ending,
  facts: () => RequestFacts,
  { clock, tracer }: { readonly clock: Clock; readonly tracer: Tracer | undefined },
): Traceparent | undefined {
  const parent = traceparent(req.headers['traceparent']);
  if (tracer === undefined) return parent;
  const span = tracer.start('a2a request', {
    parent,
    kind: 'server',
    attributes: { 'http.request.method': req.method ?? '' },
  });
  const send = () => void tracer.flush(WITHIN);
  const cancel = clock.after(SOON, send);
  send();
  res.on('close', () => {
    cancel();
    const { agent, failure, operation, version } = facts();
    span.set({
      agent,
      version,
      failure,
      'rpc.method': operation,
      'http.response.status_code': res.statusCode,
      complete: res.writableFinished,
    });
    // A caller's mistake is no fault of this server.
    span.end(res.statusCode >= 500 ? failure : undefined);
  });
  return span.context;
}

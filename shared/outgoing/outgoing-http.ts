import type { Clock } from '../ports/clock.ts';
import type { OutgoingHttp, OutgoingOutcome } from '../ports/outgoing-http.ts';
import type { AllowPrivate } from './address-guard.ts';
import { callDeadline } from './call-deadline.ts';
import { callHttp } from './call-http.ts';
import { type ConnectOptions, type Resolve, resolveBySystem } from './connect.ts';
import { destinationOf } from './destination.ts';
import { retryAfterOf } from './retry-after.ts';

export interface OutgoingHttpOptions {
  readonly clock: Pick<Clock, 'now' | 'after'>;
  /** Bytes of a request's body, at most. */
  readonly requestBytes: number;
  /** None unless given. `true` opens private networks, by plain http, too: for local use. */
  readonly allowPrivate?: AllowPrivate;
  /** Authorities to trust instead of the system's. */
  readonly ca?: string;
  readonly resolve?: Resolve;
}

/** Outgoing requests behind the guard of this folder. */
export function createOutgoingHttp(options: OutgoingHttpOptions): OutgoingHttp {
  const { allowPrivate = false, clock, resolve = resolveBySystem, requestBytes, ca } = options;
  const connecting: ConnectOptions = { allowPrivate, resolve, ...(ca !== undefined && { ca }) };
  return {
    objectionTo(url) {
      const destination = destinationOf(url, allowPrivate);
      return destination.kind === 'bad' ? destination.reason : undefined;
    },
    async send(request, signal) {
      const destination = destinationOf(request.url, allowPrivate);
      if (destination.kind === 'bad') return { kind: 'refused', objection: destination.reason };
      const { body = '' } = request;
      if (Buffer.byteLength(body) > requestBytes) return { kind: 'not_sent', reason: 'too large' };
      const deadline = callDeadline(clock, request.timeout, signal);
      try {
        if (deadline.signal.aborted) return { kind: 'not_sent', reason: deadline.why() };
        const { url } = destination;
        const sent = { ...request, url };
        return outcomeOf(await callHttp(sent, request.answerBytes, connecting, deadline), clock);
      } finally {
        deadline.end();
      }
    },
  };
}

type Called = Awaited<ReturnType<typeof callHttp>>;

function outcomeOf(called: Called, clock: Pick<Clock, 'now'>): OutgoingOutcome {
  if (called.kind === 'lost') return called;
  if (called.kind === 'not_sent') {
    const { reason } = called;
    if (reason === 'private address' || reason === 'not https') {
      return { kind: 'refused', objection: reason };
    }
    return called;
  }
  const { body, contentType, retryAfter: header, status } = called;
  const retryAfter = retryAfterOf(header, clock.now());
  return {
    kind: 'answer',
    status,
    contentType,
    ...(retryAfter !== undefined && { retryAfter }),
    ...(body !== undefined && { body }),
  };
}

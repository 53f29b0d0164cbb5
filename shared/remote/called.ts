import type { Millis } from '../domain/brand.ts';
import type { CallFailure } from '../ports/remote-agents.ts';
import { a2aCodeOf } from './error-code.ts';
import type { HttpResponse, HttpOutcome } from '../outgoing/call-http.ts';
import { type JsonBody, jsonBodyOf } from './json-body.ts';
import { retryAfterOf } from '../outgoing/retry-after.ts';

/** What one call came to, whatever it was for. */
export type Called<T> =
  | { readonly kind: 'result'; readonly value: T; readonly bytes: number }
  /** Provably no byte of it left. */
  | { readonly kind: 'not_sent'; readonly failure: CallFailure }
  /** It may have arrived; what came back says nothing about it, now. */
  | { readonly kind: 'lost'; readonly failure: CallFailure }
  /** The remote answered that it failed. `code` is A2A's, or HTTP's where there is none. */
  | { readonly kind: 'error'; readonly failure: CallFailure & { readonly code: number } }
  /** A whole, successful answer that can't be used. */
  | { readonly kind: 'unusable'; readonly failure: CallFailure };

/** A successful answer that is JSON, for the protocol's reader. */
export interface Readable {
  readonly kind: 'readable';
  readonly text: string;
  readonly bytes: number;
}

/** Everything about a response that is decided before the protocol's own reader sees it. */
export function judge(
  outcome: HttpOutcome,
  now: Millis,
): Readable | Exclude<Called<never>, { kind: 'result' }> {
  if (outcome.kind !== 'answer') {
    return { kind: outcome.kind, failure: { reason: outcome.reason } };
  }
  const { status, body } = outcome;
  const json = body === undefined ? undefined : jsonBodyOf(body);
  if (status < 200 || status > 299) return errorOf(outcome, json, now);
  if (body === undefined || json === undefined) {
    return { kind: 'unusable', failure: { reason: 'too large' } };
  }
  if (json.kind === 'no json') {
    // A page of an intermediary (a proxy, a login), or a response that was cut short: not the
    // remote's last word.
    const own = outcome.framed && /json/i.test(outcome.contentType);
    return { kind: own ? 'unusable' : 'lost', failure: { reason: 'malformed' } };
  }
  const code = a2aCodeOf(json.value);
  if (code !== undefined) return { kind: 'error', failure: { reason: `a2a ${code}`, code } };
  return { kind: 'readable', text: json.text, bytes: body.length };
}

function errorOf(
  { status, retryAfter: header }: HttpResponse,
  json: JsonBody | undefined,
  now: Millis,
): Called<never> & { readonly kind: 'error' } {
  const retryAfter = retryAfterOf(header, now);
  const wait = retryAfter === undefined ? {} : { retryAfter };
  const a2a = json?.kind === 'json' ? a2aCodeOf(json.value) : undefined;
  // For 429 and 5xx the status counts. -32000 is used for anything; the HTTP status says more.
  if (a2a === undefined || a2a === -32000 || status === 429 || status >= 500) {
    return { kind: 'error', failure: { reason: `http ${status}`, code: status, ...wait } };
  }
  return { kind: 'error', failure: { reason: `a2a ${a2a}`, code: a2a, ...wait } };
}

export const malformed: CallFailure = { reason: 'malformed' };

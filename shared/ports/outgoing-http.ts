import type { Millis } from '../domain/brand.ts';
import type { UrlObjection } from '../domain/url-objection.ts';

/** One request to a URL that a caller gave. */
export interface OutgoingRequest {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  /** `host`, `content-length` and `accept-encoding` are set here. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** For all of it, from the look-up of the name to the last byte of the answer. */
  readonly timeout: Millis;
  /**
   * Bytes of the answer's body that are read, packed and unpacked. A larger one is cut off, and the
   * answer has no `body`; with 0 nothing is read but status and headers.
   */
  readonly answerBytes: number;
}

export type OutgoingOutcome =
  /** Any status, redirects among them: none is followed. */
  | {
      readonly kind: 'answer';
      readonly status: number;
      readonly contentType: string;
      /** From Retry-After in either form; an hour at most. */
      readonly retryAfter?: Millis;
      readonly body?: Uint8Array;
    }
  /** The guard refused the URL, or where its name leads now. Nothing left. */
  | { readonly kind: 'refused'; readonly objection: UrlObjection }
  /**
   * Provably no byte of the request left: `dns`, `connection refused`, `tls`, `timeout`,
   * `too large` ...
   */
  | { readonly kind: 'not_sent'; readonly reason: string }
  /** Bytes left, and no whole answer came: `timeout`, `no answer`, `broken answer`. */
  | { readonly kind: 'lost'; readonly reason: string };

/**
 * Requests to URLs that come from outside: webhooks, files, keys. The one way out for them, because
 * the guard stands in it (docs/outgoing.md): https, public addresses, checked at the socket.
 *
 * Check a URL when it is given (`objectionTo`, then `refusedUrl(field, objection)` for the caller),
 * and send when it is due. No method throws for what the other side does, nothing is sent twice,
 * and each request has a connection of its own. A refusal by `send` can pass (a name may lead
 * elsewhere later), so treat it as a failed delivery.
 */
export interface OutgoingHttp {
  /** What the URL says of itself; no name is looked up. */
  objectionTo(url: string): UrlObjection | undefined;
  send(request: OutgoingRequest, signal?: AbortSignal): Promise<OutgoingOutcome>;
}

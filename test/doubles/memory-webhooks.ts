import type {
  OutgoingHttp,
  OutgoingOutcome,
  OutgoingRequest,
} from '../../shared/ports/outgoing-http.ts';
import type { UrlObjection } from '../../shared/domain/url-objection.ts';
import { type Json, type JsonObject, isJsonObject } from '../../shared/domain/json.ts';

/** A request as a webhook got it. */
export interface Post {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: JsonObject;
  /** The event's position in the journal. */
  readonly seq: number;
}

type Receiver = (post: Post, nth: number) => OutgoingOutcome | Promise<OutgoingOutcome>;

export const answered = (status: number, retryAfter?: number): OutgoingOutcome => ({
  kind: 'answer',
  status,
  contentType: '',
  ...(retryAfter !== undefined && { retryAfter }),
});

/** Webhooks of callers that take everything, unless a test says how one of them answers. */
export class MemoryWebhooks implements OutgoingHttp {
  readonly posts: Post[] = [];
  readonly #receivers = new Map<string, Receiver>();

  at(url: string, receiver: Receiver): void {
    this.#receivers.set(url, receiver);
  }

  objectionTo(url: string): UrlObjection | undefined {
    return url.startsWith('https://') ? undefined : 'not https';
  }

  async send(
    { body = '', headers, url }: OutgoingRequest,
    signal?: AbortSignal,
  ): Promise<OutgoingOutcome> {
    const parsed = JSON.parse(body) as Json;
    if (!isJsonObject(parsed)) throw new TypeError('no object');
    const seq = Number(headers['holdfast-event-id']?.split('/')[1]);
    const post = { url, headers, body: parsed, seq };
    this.posts.push(post);
    const nth = this.posts.filter((each) => each.url === url).length;
    const stopped = new Promise<OutgoingOutcome>((resolve) => {
      signal?.addEventListener('abort', () => resolve({ kind: 'lost', reason: 'no answer' }));
    });
    return Promise.race([this.#receivers.get(url)?.(post, nth) ?? answered(204), stopped]);
  }

  /** The positions that were told, in their order. */
  seqsTo(url: string): readonly number[] {
    return this.posts.filter((post) => post.url === url).map(({ seq }) => seq);
  }
}

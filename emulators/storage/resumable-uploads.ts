import { randomUUID } from 'node:crypto';
import type { Buckets } from './buckets.ts';
import type { Exchange } from './exchange.ts';
import { type Given, parseGiven, resourceOf, type StoredObject } from './object.ts';
import { invalid, notFound, Refusal } from './refusal.ts';

interface Session {
  readonly bucket: string;
  readonly given: Given;
  /** The preconditions of the request that began it; they are judged when the object is written. */
  readonly query: URLSearchParams;
  received: Buffer[];
  done?: StoredObject;
}

/** Pieces, all but the last, are multiples of this. */
const UNIT = 256 * 1024;

/** https://cloud.google.com/storage/docs/performing-resumable-uploads and .../resumable-uploads. */
export class ResumableUploads {
  readonly #buckets: Buckets;
  readonly #sessions = new Map<string, Session>();

  constructor(buckets: Buckets) {
    this.#buckets = buckets;
  }

  /** Bytes that uploads brought which are not at their end yet. */
  get pending(): number {
    return [...this.#sessions.values()].reduce((sum, each) => sum + lengthOf(each), 0);
  }

  answer(bucket: string, exchange: Exchange): void {
    const id = exchange.query.get('upload_id');
    if (id === null) return this.#begin(bucket, exchange);
    const session = this.#sessions.get(id);
    if (session === undefined) throw notFound('Unknown upload session');
    if (exchange.method === 'DELETE') {
      this.#sessions.delete(id);
      // "Client Closed Request" is the documented success of a cancellation.
      return exchange.send(499);
    }
    this.#receive(session, exchange);
  }

  #begin(bucket: string, { url, query, headers, body, send }: Exchange): void {
    this.#buckets.get(bucket);
    const type = headers['x-upload-content-type'];
    const given = {
      ...(typeof type === 'string' && { contentType: type }),
      ...parseGiven(body),
    };
    const id = randomUUID();
    this.#sessions.set(id, { bucket, given, query, received: [] });
    const location = new URL(url);
    location.searchParams.set('upload_id', id);
    send(200, undefined, { location: location.href, 'x-guploader-uploadid': id });
  }

  #receive(session: Session, { headers, body, send }: Exchange): void {
    if (session.done !== undefined) return send(200, resourceOf(session.done));
    const total = take(session, headers['content-range'], body);
    const length = lengthOf(session);
    if (total !== length) {
      // 308 and the last byte that is safe; no Range at all when there is none.
      return send(308, undefined, length === 0 ? {} : { range: `bytes=0-${length - 1}` });
    }
    const { bucket, given, query, received } = session;
    const name = given.name ?? query.get('name') ?? '';
    session.done = this.#buckets.write(bucket, name, Buffer.concat(received), given, query);
    session.received = [];
    send(200, resourceOf(session.done));
  }
}

const lengthOf = ({ received }: Session): number =>
  received.reduce((sum, piece) => sum + piece.length, 0);

/**
 * Appends what is new. Answers the object's length where this request tells it: `bytes 0-99/100`,
 * or no header at all. A status query is `bytes` and `*` for the range, with an empty body.
 */
function take(session: Session, header: string | undefined, body: Buffer): number | undefined {
  if (header === undefined) {
    session.received = [body];
    return body.length;
  }
  const range = /^bytes (?:([0-9]+)-([0-9]+|\*)|\*)\/([0-9]+|\*)$/.exec(header);
  if (range === null) throw invalid('Failed to parse Content-Range header.');
  const [, from, to, whole] = range;
  const total = whole === '*' ? undefined : Number(whole);
  if (from === undefined) return total;
  const known = lengthOf(session) - Number(from);
  if (known < 0) throw new Refusal(503, 'backendError', 'A piece before this one is missing');
  if (to !== '*' && total === undefined && body.length % UNIT !== 0) {
    throw invalid('Pieces other than the last must be multiples of 256 KiB');
  }
  session.received.push(body.subarray(known));
  return to === '*' && total === undefined ? lengthOf(session) : total;
}

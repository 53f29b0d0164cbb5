import { expect } from 'vitest';
import type { Served } from './calls.ts';

export interface SseEvent {
  readonly id: string | undefined;
  readonly event: string | undefined;
  readonly data: Record<string, unknown>;
}

/**
 * Reads an event stream as strictly as the standard says: a block counts only once its blank line
 * is there.
 */
export class SseReader {
  readonly response: Response;
  readonly comments: string[] = [];
  readonly #abort: AbortController;
  readonly #reader: ReadableStreamDefaultReader<string>;
  #buffer = '';

  constructor(response: Response, abort: AbortController) {
    this.response = response;
    this.#abort = abort;
    if (response.body === null) throw new Error('no body');
    this.#reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  }

  /** The next event; undefined at the end. */
  async next(): Promise<SseEvent | undefined> {
    for (;;) {
      const block = await this.#block();
      if (block === undefined) return undefined;
      const event = parse(block);
      if (event !== undefined) return event;
      this.comments.push(block);
    }
  }

  /** The next comment; an event before it fails the test. */
  async comment(): Promise<string | undefined> {
    const block = await this.#block();
    expect(block === undefined ? undefined : parse(block)).toBeUndefined();
    return block;
  }

  async rest(): Promise<SseEvent[]> {
    const events: SseEvent[] = [];
    for (let event = await this.next(); event !== undefined; event = await this.next()) {
      events.push(event);
    }
    return events;
  }

  /** Goes away as a client does that is closed. */
  leave(): void {
    this.#abort.abort();
    this.#reader.cancel().catch(() => undefined);
  }

  async #block(): Promise<string | undefined> {
    for (;;) {
      const end = this.#buffer.indexOf('\n\n');
      if (end !== -1) {
        const block = this.#buffer.slice(0, end);
        this.#buffer = this.#buffer.slice(end + 2);
        return block;
      }
      const { done, value } = await this.#reader.read();
      if (done) {
        expect(this.#buffer).toBe('');
        return undefined;
      }
      this.#buffer += value;
    }
  }
}

function parse(block: string): SseEvent | undefined {
  const fields = new Map(
    block
      .split('\n')
      .filter((line) => !line.startsWith(':'))
      .map((line): [string, string] => {
        const colon = line.indexOf(': ');
        return [line.slice(0, colon), line.slice(colon + 2)];
      }),
  );
  const data = fields.get('data');
  if (data === undefined) return undefined;
  return {
    id: fields.get('id'),
    event: fields.get('event'),
    data: JSON.parse(data) as Record<string, unknown>,
  };
}

/** Opens a stream over HTTP+JSON; `body` undefined makes it a GET. */
export async function openStream(
  { url }: Served,
  path: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<SseReader> {
  const abort = new AbortController();
  const response = await fetch(`${url}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { 'Content-Type': 'application/json', 'A2A-Version': '1.0', ...headers },
    signal: abort.signal,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  expect(response.headers.get('content-type')).toBe('text/event-stream');
  return new SseReader(response, abort);
}

/** Kind of a StreamResponse, and the state if it has one. */
export function shapeOf(data: Record<string, unknown>): string {
  const [kind = '', value] = Object.entries(data)[0] ?? [];
  const status = (value as { status?: { state: string } } | undefined)?.status;
  return status === undefined ? kind : `${kind} ${status.state.replace('TASK_STATE_', '')}`;
}

import http, { type IncomingMessage } from 'node:http';
import { performance } from 'node:perf_hooks';
import { type WireEvent, isTerminal, nameOf, stateOf } from './wire.ts';

export interface Frame {
  /** The journal position in its `id:` line; undefined for a direct message. */
  readonly seq: number | undefined;
  readonly event: WireEvent;
  /** When it arrived. */
  readonly at: number;
}

export interface StreamRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

/** An answer that is no event stream. */
export interface Plain {
  readonly http: number;
  readonly text: string;
}

export function openStream(request: StreamRequest): Promise<EventStream | Plain> {
  return new Promise((resolve, reject) => {
    const { url, method, headers, body } = request;
    const sent = http.request(url, { method, headers, agent: false }, (response) => {
      const type = response.headers['content-type'] ?? '';
      if (type.startsWith('text/event-stream')) resolve(new SseStream(response));
      else
        textOf(response).then((text) => {
          resolve({ http: response.statusCode ?? 0, text });
        }, reject);
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

async function textOf(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

/** How a stream ended: by the server's own end, by a cut, or not yet. */
export type End = 'open' | 'ended' | 'cut';

/** A stream from the moment that it opens, in whatever binding. */
export abstract class EventStream {
  readonly frames: Frame[] = [];
  readonly comments: string[] = [];
  readonly openedAt = performance.now();
  end: End = 'open';
  #fault: Error | undefined;
  #read = 0;
  #wake: (() => void)[] = [];

  /** The headers of its answer. */
  abstract readonly headers: IncomingMessage['headers'];
  /** Goes away as a crashed client does: with a TCP reset (SO_LINGER 0), or of the call. */
  abstract reset(): void;
  /** Goes away as a client does that closes. */
  abstract leave(): void;
  /** Stops reading, so that the server meets back-pressure. */
  abstract pause(): void;
  abstract resume(): void;

  /** The next frame; undefined at the end. */
  async next(): Promise<Frame | undefined> {
    await this.#until(() => this.frames.length > this.#read);
    const frame = this.frames[this.#read];
    if (frame !== undefined) this.#read += 1;
    return frame;
  }

  /** Reads until that event, which it answers; fails when the stream ends before. */
  async reach(name: string): Promise<Frame> {
    for (let frame = await this.next(); frame !== undefined; frame = await this.next()) {
      if (nameOf(frame.event) === name) return frame;
    }
    throw new Error(`the stream ${this.end} before ${name}: ${this.names().join(', ')}`);
  }

  /** Waits for the end and answers everything that came. */
  async all(): Promise<readonly Frame[]> {
    await this.#until(() => false);
    return this.frames;
  }

  async comment(): Promise<string | undefined> {
    await this.#until(() => this.comments.length > 0);
    return this.comments[0];
  }

  names(): readonly string[] {
    return this.frames.map((frame) => nameOf(frame.event));
  }

  /** The newest position that was seen. */
  get lastSeq(): number {
    return this.frames.at(-1)?.seq ?? 0;
  }

  /** Whether its last frame tells of a terminal state. */
  get terminal(): boolean {
    const last = this.frames.at(-1)?.event;
    if (last === undefined) return false;
    if ('task' in last) return isTerminal(stateOf(last.task));
    return 'statusUpdate' in last && isTerminal(stateOf(last.statusUpdate));
  }

  protected arrived(): void {
    const wake = this.#wake;
    this.#wake = [];
    for (const each of wake) each();
  }

  protected failed(error: unknown): void {
    this.#fault = error instanceof Error ? error : new Error(String(error));
  }

  async #until(ready: () => boolean): Promise<void> {
    while (!ready() && this.end === 'open') {
      await new Promise<void>((resolve) => {
        this.#wake.push(resolve);
      });
    }
    if (this.#fault !== undefined) throw this.#fault;
  }
}

/**
 * Reads an event stream as strictly as the standard says. The client can go away with a reset,
 * which fetch can't.
 */
class SseStream extends EventStream {
  readonly headers: IncomingMessage['headers'];
  readonly #response: IncomingMessage;
  #rest = '';

  constructor(response: IncomingMessage) {
    super();
    this.#response = response;
    this.headers = response.headers;
    response.setEncoding('utf8');
    response.on('data', (chunk: string) => {
      try {
        this.#take(chunk);
      } catch (error) {
        this.failed(error);
        this.#response.destroy();
      }
    });
    response.on('error', () => undefined);
    response.on('close', () => {
      // A half event at a clean end would be a fault of the server.
      if (response.complete && this.#rest !== '') this.failed(new Error(`cut: ${this.#rest}`));
      this.end = response.complete ? 'ended' : 'cut';
      this.arrived();
    });
  }

  reset(): void {
    this.#response.socket.resetAndDestroy();
  }

  leave(): void {
    this.#response.destroy();
  }

  pause(): void {
    this.#response.pause();
  }

  resume(): void {
    this.#response.resume();
  }

  #take(chunk: string): void {
    const blocks = `${this.#rest}${chunk}`.split('\n\n');
    this.#rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const frame = parse(block);
      if (frame === undefined) this.comments.push(block);
      else this.frames.push(frame);
    }
    this.arrived();
  }
}

function parse(block: string): Frame | undefined {
  let data: string | undefined;
  let seq: number | undefined;
  for (const line of block.split('\n')) {
    if (line.startsWith(':')) continue;
    const [, field, value] = /^([a-z]+): (.*)$/.exec(line) ?? [];
    if (field === undefined || value === undefined) throw new Error(`no line of SSE: ${line}`);
    if (field === 'data') data = data === undefined ? value : `${data}\n${value}`;
    else if (field === 'id') seq = Number(value);
    else if (field === 'event') throw new Error(`an error inside a stream: ${block}`);
  }
  if (data === undefined) return undefined;
  return { seq, event: eventOf(JSON.parse(data)), at: performance.now() };
}

/** JSON-RPC wraps each event; HTTP+JSON does not. */
function eventOf(value: unknown): WireEvent {
  const object = value as { readonly result?: WireEvent; readonly error?: unknown };
  if (object.error !== undefined) throw new Error(`an error inside a stream: ${String(value)}`);
  return object.result ?? (value as WireEvent);
}

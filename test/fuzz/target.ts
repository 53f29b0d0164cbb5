import { type EventEmitter, once } from 'node:events';
import { type ClientHttp2Session, connect as connectHttp2 } from 'node:http2';
import { connect } from 'node:net';
import type { Input } from './inputs.ts';

/** What no answer may give away. */
const INTERNALS = /node_modules|node:internal|\n\s+at |\.ts:\d|sqlite|SQLITE|TypeError|RangeError/;
/** Longer than anything here takes; what has no answer by then has none. */
const PATIENCE = 20_000;
const SERVER_FAULTS: readonly unknown[] = ['2', '13', '14', '15'];

export interface Place {
  /** Host and port of HTTP, and of gRPC. */
  readonly http: string;
  readonly grpc: string;
  /** Ids of tasks by the words that stand for them. */
  readonly tasks: Readonly<Record<string, string>>;
}

/** A server that inputs are sent to. */
export class Target {
  readonly #place: Place;
  #session: ClientHttp2Session | undefined;

  constructor(place: Place) {
    this.#place = place;
  }

  /** Throws when the answer is not one that a server may give. */
  async send(input: Input): Promise<void> {
    const sent = input.kind === 'grpc' ? this.#grpc(input) : this.#http(input);
    const timeout = new Promise<never>((_, reject) => {
      setTimeout(() => reject(new Error('no answer')), PATIENCE).unref();
    });
    await Promise.race([sent, timeout]);
  }

  close(): void {
    this.#session?.destroy();
  }

  #named(text: string): string {
    return Object.entries(this.#place.tasks).reduce(
      (all, [word, id]) => all.replaceAll(word, id),
      text,
    );
  }

  /** What stands for an id is as long as one, so what says a length stays right. */
  #bytes(bytes: Uint8Array): Buffer {
    return Buffer.from(this.#named(Buffer.from(bytes).toString('latin1')), 'latin1');
  }

  async #http({ body, head, kind }: Extract<Input, { kind: 'http' | 'half' }>): Promise<void> {
    const [host = '', port = ''] = this.#place.http.split(':');
    const socket = connect({ host, port: Number(port), allowHalfOpen: true });
    const chunks: Buffer[] = [];
    socket.on('error', () => undefined);
    socket.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      // A stream goes on for as long as its task; that it began is enough.
      if (Buffer.concat(chunks).toString('latin1').includes('text/event-stream')) socket.destroy();
    });
    const closed = closeOf(socket);
    await Promise.race([once(socket, 'connect').catch(() => undefined), closed]);
    if (kind === 'half') {
      socket.write(this.#named(head));
      setImmediate(() => socket.resetAndDestroy());
      await closed;
      return;
    }
    const bytes = this.#bytes(body.bytes);
    const encoding = body.encoding === undefined ? '' : `Content-Encoding: ${body.encoding}\r\n`;
    const length = `Content-Length: ${bytes.length}\r\n`;
    socket.write(Buffer.from(`${this.#named(head)}\r\n${encoding}${length}\r\n`, 'latin1'));
    socket.end(bytes);
    await closed;
    judge(Buffer.concat(chunks).toString());
  }

  async #grpc({ body, path }: Extract<Input, { kind: 'grpc' }>): Promise<void> {
    if (this.#session === undefined || this.#session.closed || this.#session.destroyed) {
      this.#session = connectHttp2(`http://${this.#place.grpc}`);
      this.#session.on('error', () => undefined);
    }
    const message = this.#bytes(body.bytes);
    const prefix = Buffer.alloc(5);
    prefix[0] = body.encoding === undefined ? 0 : 1;
    prefix.writeUInt32BE(message.length, 1);
    const stream = this.#session.request({
      ':method': 'POST',
      ':path': path,
      'content-type': 'application/grpc',
      'a2a-version': '1.0',
      ...(body.encoding !== undefined && { 'grpc-encoding': body.encoding }),
    });
    const ends: Record<string, unknown> = {};
    stream.on('response', (headers) => Object.assign(ends, headers));
    stream.on('trailers', (trailers) => Object.assign(ends, trailers));
    stream.on('error', () => undefined);
    // A message is enough of an answer; what comes after it may be a stream.
    stream.on('data', () => stream.close());
    stream.end(Buffer.concat([prefix, message]));
    await closeOf(stream);
    const { 'grpc-message': said = '', 'grpc-status': status } = ends;
    const words = decodeURIComponent(String(said));
    if (SERVER_FAULTS.includes(status)) throw new Error(`status ${String(status)}: ${words}`);
    if (INTERNALS.test(words)) throw new Error(`shows internals: ${words}`);
    if (ends[':status'] === undefined) throw new Error('no answer, and the call was ended');
  }
}

/** However it comes; what failed on the way is seen by what came back. */
function closeOf(what: EventEmitter): Promise<void> {
  return new Promise((resolve) => {
    what.once('close', () => resolve());
  });
}

function judge(answer: string): void {
  // A connection may be closed on what is no HTTP; it may not stay open, nor say more than that.
  if (answer === '') return;
  const status = /HTTP\/1\.1 (\d{3})/.exec(answer)?.[1];
  if (status === undefined) throw new Error(`no HTTP: ${answer.slice(0, 200)}`);
  if (Number(status) >= 500) throw new Error(answer.slice(0, 600));
  if (/"code":\s*-32603/.test(answer)) throw new Error(answer.slice(0, 600));
  const internals = INTERNALS.exec(answer);
  if (internals !== null) throw new Error(`shows ${internals[0]}: ${answer.slice(0, 600)}`);
}

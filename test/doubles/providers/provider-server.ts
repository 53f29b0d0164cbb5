import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Json, JsonObject } from '../../../shared/agent/index.ts';

/** What a provider's model says, whatever its protocol. */
export interface Said {
  /** Reasoning, which its provider signs or encrypts. */
  readonly thought?: string;
  readonly text?: string;
  readonly calls?: readonly { readonly name: string; readonly input: Json | string }[];
  /** The provider's own word for why it stopped; absent: the usual one. */
  readonly finish?: string;
  /** What happens in the middle of it, when it is streamed. */
  readonly breaks?: Broken;
}

/**
 * How a stream breaks, after half of its events: the line is cut, it ends as if it were whole, the
 * provider reports a fault of its own or one of the request, or nothing more comes.
 */
export type Broken = 'cut' | 'ends' | 'fault' | 'refusal' | 'silence';

/** What happens to one request. */
export type Scripted =
  | Said
  | {
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: Json;
    }
  /** The line is cut in the middle of the body. */
  | 'cut'
  /** It never answers. */
  | 'silence';

/** The rules and the words of one provider. */
export interface Protocol {
  /** Where it is asked: the last of the path, without what is behind a question mark. */
  readonly path: RegExp;
  /** The header that its key is in. */
  readonly key: string;
  /** Why the provider refuses this request; undefined if it does not. Throws for what it is not. */
  refusal(body: JsonObject, seen: Memory, url: URL): string | undefined;
  answer(said: Said, seen: Memory): JsonObject;
  /** Whether an answer is to be streamed as events. */
  streams(body: JsonObject, url: URL): boolean;
  /** An answer as the events of a stream. */
  events(answer: JsonObject, body: JsonObject): readonly string[];
  /** The event that reports a fault which may pass, or that the request is at fault. */
  brokenBy(fault: 'fault' | 'refusal'): string;
  error(message: string): JsonObject;
  /** The words for a request that does not fit into the model's window. */
  readonly tooLong: string;
}

/** What a provider remembers of what it said: the signatures that it wants back. */
export interface Memory {
  /** How many answers it has given. */
  answers: number;
  readonly signed: Map<string, string>;
}

export interface Limited {
  /** Characters of a request. */
  readonly takes?: number;
  /** What it says where no tools are offered, beside its script: to one who asks for a summary. */
  readonly withoutTools?: Said;
}

/** A provider over HTTP: strict about its rules, and it says what its script says. */
export class ProviderServer {
  readonly requests: {
    readonly path: string;
    readonly headers: IncomingMessage['headers'];
    readonly body: JsonObject;
  }[] = [];
  /** Requests that it refused. */
  readonly refused: string[] = [];
  /** Requests that were too long for it. */
  tooLong = 0;
  /** Answers that the client did not wait for. */
  left = 0;
  readonly #memory: Memory = { answers: 0, signed: new Map() };
  readonly #server: Server;
  readonly #protocol: Protocol;
  readonly #script: Scripted[];
  readonly #takes: number;
  readonly #withoutTools: Said | undefined;
  /** Lines that it cut itself. */
  readonly #cut = new Set<ServerResponse>();

  constructor(
    protocol: Protocol,
    script: readonly Scripted[],
    { takes = Number.POSITIVE_INFINITY, withoutTools }: Limited = {},
  ) {
    this.#takes = takes;
    this.#withoutTools = withoutTools;
    this.#protocol = protocol;
    this.#script = [...script];
    this.#server = createServer((req, res) => {
      res.on('close', () => {
        if (!res.writableEnded && !this.#cut.has(res)) this.left += 1;
      });
      void bodyOf(req).then((body) => this.#answer(req, res, body));
    });
  }

  async #answer(req: IncomingMessage, res: ServerResponse, body: JsonObject): Promise<void> {
    const protocol = this.#protocol;
    const url = new URL(req.url ?? '', 'http://provider');
    this.requests.push({ path: req.url ?? '', headers: req.headers, body });
    const send = (status: number, json: Json, headers = {}): void => {
      res.writeHead(status, { 'Content-Type': 'application/json', ...headers });
      res.end(JSON.stringify(json));
    };
    if (!protocol.path.test(url.pathname)) return send(404, protocol.error('no such method'));
    if (!req.headers[protocol.key]) return send(401, protocol.error('no key'));
    const refusal = this.#judge(body, url);
    if (refusal !== undefined) {
      this.refused.push(refusal);
      return send(400, protocol.error(refusal));
    }
    if (JSON.stringify(body).length > this.#takes) {
      this.tooLong += 1;
      return send(400, protocol.error(protocol.tooLong));
    }
    const without = body['tools'] === undefined ? this.#withoutTools : undefined;
    const next = without ?? this.#script.shift() ?? { text: 'done' };
    if (next === 'silence') return;
    const streams = protocol.streams(body, url);
    if (next === 'cut') {
      const type = streams ? 'text/event-stream' : 'application/json';
      res.writeHead(200, { 'Content-Type': type, 'Content-Length': '1000' });
      res.write(streams ? 'data: {"half":' : '{"half":');
      this.#hangUp(res);
    } else if ('status' in next) {
      send(next.status, next.body ?? protocol.error('no'), next.headers);
    } else {
      this.#memory.answers += 1;
      const answer = protocol.answer(next, this.#memory);
      if (!streams) return send(200, answer);
      await sendEvents(res, this.#brokenEvents(protocol.events(answer, body), next.breaks));
      if (next.breaks === 'cut') this.#hangUp(res);
      else if (next.breaks !== 'silence') res.end();
    }
  }

  #hangUp(res: ServerResponse): void {
    this.#cut.add(res);
    res.destroy();
  }

  #brokenEvents(events: readonly string[], broken: Broken | undefined): readonly string[] {
    if (broken === undefined) return events;
    const half = events.slice(0, Math.ceil(events.length / 2));
    const reports = broken === 'fault' || broken === 'refusal';
    return reports ? [...half, this.#protocol.brokenBy(broken)] : half;
  }

  #judge(body: JsonObject, url: URL): string | undefined {
    try {
      return this.#protocol.refusal(body, this.#memory, url);
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  }

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    const { port } = this.#server.address() as AddressInfo;
    return `http://127.0.0.1:${port}`;
  }

  stop(): Promise<void> {
    this.#server.closeAllConnections();
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }
}

/** What is on the line at once: events, and letters of several bytes, are cut anywhere. */
const PIECE = 61;

async function sendEvents(res: ServerResponse, events: readonly string[]): Promise<void> {
  res.writeHead(200, { 'Content-Type': 'text/event-stream' });
  const bytes = Buffer.from(events.join(''));
  for (let at = 0; at < bytes.byteLength && !res.destroyed; at += PIECE) {
    await new Promise((resolve) => res.write(bytes.subarray(at, at + PIECE), resolve));
    await new Promise((resolve) => setImmediate(resolve));
  }
}

async function bodyOf(req: IncomingMessage): Promise<JsonObject> {
  const chunks: Buffer[] = [];
  for await (const chunk of req) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString('utf8')) as JsonObject;
}

/** A list of objects; for what the protocols look through. */
export function list(value: unknown): readonly JsonObject[] {
  if (!Array.isArray(value)) throw new TypeError('a list is expected');
  return value as readonly JsonObject[];
}

export const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The words of the first rule that is broken. */
export function firstBroken(...rules: readonly (readonly [holds: boolean, words: string])[]) {
  return rules.find(([holds]) => !holds)?.[1];
}

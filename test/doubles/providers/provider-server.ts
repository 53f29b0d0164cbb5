import { createServer, type IncomingMessage, type Server } from 'node:http';
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
}

/** What happens to one request. */
export type Scripted =
  | Said
  | {
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: Json;
    }
  /** The line is cut in the middle of the body. */
  | 'cut';

/** The rules and the words of one provider. */
export interface Protocol {
  /** Why the provider refuses this request; undefined if it does not. Throws for what it is not. */
  refusal(body: JsonObject, seen: Memory): string | undefined;
  answer(said: Said, seen: Memory): JsonObject;
  error(message: string): JsonObject;
}

/** What a provider remembers of what it said: the signatures that it wants back. */
export interface Memory {
  /** How many answers it has given. */
  answers: number;
  readonly signed: Map<string, string>;
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
  readonly #memory: Memory = { answers: 0, signed: new Map() };
  readonly #server: Server;

  constructor(protocol: Protocol, script: readonly Scripted[]) {
    const left = [...script];
    this.#server = createServer((req, res) => {
      void bodyOf(req).then((body) => {
        this.requests.push({ path: req.url ?? '', headers: req.headers, body });
        const send = (status: number, json: Json, headers = {}): void => {
          res.writeHead(status, { 'Content-Type': 'application/json', ...headers });
          res.end(JSON.stringify(json));
        };
        const refusal = this.#judge(protocol, body);
        if (refusal !== undefined) {
          this.refused.push(refusal);
          send(400, protocol.error(refusal));
          return;
        }
        const next = left.shift() ?? { text: 'done' };
        if (next === 'cut') {
          res.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': '1000' });
          res.write('{"half":');
          res.destroy();
        } else if ('status' in next) {
          send(next.status, next.body ?? protocol.error('no'), next.headers);
        } else {
          this.#memory.answers += 1;
          send(200, protocol.answer(next, this.#memory));
        }
      });
    });
  }

  #judge(protocol: Protocol, body: JsonObject): string | undefined {
    try {
      return protocol.refusal(body, this.#memory);
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

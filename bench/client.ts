import { Agent, request } from 'node:http';

export const CONNECTIONS = 8;

export interface Task {
  readonly id: string;
  readonly status: { readonly state: string };
  readonly artifacts?: readonly { readonly parts: readonly unknown[] }[];
  readonly history?: readonly unknown[];
}

/**
 * A JSON-RPC client that costs little itself: one agent of keep-alive connections, bodies as they
 * come.
 */
export class Client {
  readonly #url: string;
  readonly #agent: Agent;
  readonly #headers: Readonly<Record<string, string>>;
  /** Bytes of all answers: what a server writes to its sockets is no storage. */
  received = 0;

  constructor(
    url: string,
    connections = CONNECTIONS,
    headers: Readonly<Record<string, string>> = {},
  ) {
    this.#url = url;
    this.#headers = headers;
    this.#agent = new Agent({
      keepAlive: true,
      maxSockets: connections,
      maxFreeSockets: connections,
    });
  }

  /** The answer's text. */
  call(method: string, params: object): Promise<string> {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    return new Promise((resolve, reject) => {
      const call = request(
        this.#url,
        {
          agent: this.#agent,
          method: 'POST',
          headers: {
            ...this.#headers,
            'A2A-Version': '1.0',
            'Content-Type': 'application/json',
            'Content-Length': Buffer.byteLength(body),
          },
        },
        (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => {
            chunks.push(chunk);
            this.received += chunk.length;
          });
          response.once('error', reject);
          response.once('end', () => resolve(Buffer.concat(chunks).toString('utf8')));
        },
      );
      call.once('error', reject);
      call.end(body);
    });
  }

  /** A blocking send of a message that makes a task. */
  async send(text: string): Promise<Task> {
    const parts = [{ text }];
    const message = { messageId: crypto.randomUUID(), role: 'ROLE_USER', parts };
    return resultOf<{ task: Task }>(await this.call('SendMessage', { message })).task;
  }

  close(): void {
    this.#agent.destroy();
  }
}

export function resultOf<T>(text: string): T {
  const { result, error } = JSON.parse(text) as { result?: T; error?: unknown };
  if (result === undefined) throw new Error(`refused: ${JSON.stringify(error).slice(0, 300)}`);
  return result;
}

/** A script's task must be complete, or its speed means nothing. */
export function checkTask(task: Task, { chunks = 0, events = 0 }): void {
  const parts = (task.artifacts ?? []).reduce((sum, each) => sum + each.parts.length, 0);
  // The client's message and the final one are in the history, too.
  const said = (task.history?.length ?? 0) - 2;
  if (task.status.state === 'TASK_STATE_COMPLETED' && parts === chunks && said === events) return;
  throw new Error(
    `${task.status.state}, ${parts} of ${chunks} chunks, ${said} of ${events} events`,
  );
}

import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { App } from '../../shared/app/app.ts';
import type { AgentName } from '../../shared/domain/ids.ts';
import { bearerOf } from '../../shared/operator/identity.ts';
import { createOperatorApp } from '../../shared/operator/operator-app.ts';
import { type Grants, type Right, RIGHTS } from '../../shared/ports/grants.ts';

/** Who may do what, as a test says: every right on every agent, unless it says otherwise. */
export class Team implements Grants {
  readonly members = new Map<string, { readonly may: readonly Right[]; readonly agent?: string }>([
    ['all', { may: RIGHTS }],
    ['nobody', { may: [] }],
    ...RIGHTS.flatMap((right) => [
      [right, { may: [right] }] as const,
      [`not-${right}`, { may: RIGHTS.filter((each) => each !== right) }] as const,
    ]),
  ]);

  allows(subject: string, right: Right, agent: AgentName): Promise<boolean> {
    const member = this.members.get(subject);
    const here = member?.agent === undefined || member.agent === agent;
    return Promise.resolve(here && (member?.may.includes(right) ?? false));
  }
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Shown;
}

type Row = Readonly<Record<string, unknown>> & { readonly id: string };

/**
 * What tests look into, of whatever route: a member that an answer does not have is undefined
 * there. The schemas are tested apart.
 */
export interface Shown {
  readonly id: string;
  readonly status: string;
  readonly state: string;
  readonly cursor: string;
  readonly error: { readonly code: string; readonly message: string; readonly field?: string };
  readonly runs: readonly Row[];
  readonly rows: readonly Row[];
  readonly changes: unknown;
  readonly files: unknown;
  readonly decisions: readonly Row[];
  readonly sends: readonly Row[];
  readonly targets: readonly unknown[];
  readonly webhooks: readonly Row[];
  readonly acts: readonly Row[];
  readonly steps: readonly Row[];
  readonly pauses: readonly Row[];
  readonly segments: readonly Row[];
  readonly waiting: unknown;
  readonly waitsFor: { readonly generation: number; readonly digest: string };
  readonly oldestWait: unknown;
  readonly parkedWebhooks: unknown;
  readonly owner: string;
  readonly lastError: unknown;
  readonly run?: Row;
  readonly dependency: { readonly looks: number };
}

/** The operators' API over HTTP, in this process. A token is its operator's name. */
export class Api {
  readonly url: string;
  readonly #server: Server;

  private constructor(url: string, server: Server) {
    this.url = url;
    this.#server = server;
  }

  static async over(app: App, agent: string): Promise<Api> {
    const edge = createOperatorApp({
      app,
      agents: [agent as AgentName],
      identify: (headers) => Promise.resolve(bearerOf(headers)),
    });
    const server = createServer(edge);
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    const { port } = server.address() as AddressInfo;
    return new Api(`http://127.0.0.1:${port}`, server);
  }

  get(path: string, as: string | undefined = 'all'): Promise<Answer> {
    return this.ask('GET', path, as);
  }

  post(path: string, body: unknown = {}, as: string | undefined = 'all'): Promise<Answer> {
    return this.ask('POST', path, as, body);
  }

  async ask(method: string, path: string, as?: string, body?: unknown): Promise<Answer> {
    const response = await this.raw(method, path, as, body);
    const text = await response.text();
    const shown = (text === '' ? undefined : JSON.parse(text)) as Shown;
    return { status: response.status, headers: response.headers, body: shown };
  }

  raw(method: string, path: string, as?: string, body?: unknown): Promise<Response> {
    return fetch(`${this.url}${path}`, {
      method,
      headers: {
        ...(as !== undefined && { Authorization: `Bearer ${as}` }),
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

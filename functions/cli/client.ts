import { z } from 'zod';
import type { Access } from './access.ts';
import { CliError, EXIT } from './cli-error.ts';
import { type Event, eventsOf } from './events.ts';
import { plain } from './table.ts';

export type Request = (url: string, init: RequestInit) => Promise<Response>;

const refusal = z.object({
  error: z.object({ code: z.string(), message: z.string(), field: z.string().optional() }),
});

/** What to do next, if the API's own words don't say it. */
const HINTS: Readonly<Record<string, string>> = {
  RUN_NOT_FOUND: '`holdfast runs` shows the runs that you may see',
  SEND_NOT_FOUND: '`holdfast inbox` shows the sends that wait for a word',
  SEND_SETTLED: '`holdfast run <id>` shows what became of it',
  AGENT_NOT_FOUND: '`holdfast agents` lists those that you may see',
  AGENT_PAUSED: 'decide without --direct, or `holdfast resume` the agent',
  REMOTE_NOT_FOUND: '`holdfast remotes` lists those that you may see',
  MAY_REPEAT: 'look at it with --dry-run, and name what may run again with --again',
  CONTEXT_BUSY: 'ask again when that is finished',
  PAUSE_OVER: '`holdfast run <id>` shows where the run is now',
  DECISION_MISMATCH: 'look at what is asked now with `holdfast inbox`, and decide about that',
  PERMISSION_DENIED:
    "add it to `may` in the data folder's operators.json, or in the deployment's `operators`",
  STATUS_UNKNOWN: 'use the version that wrote it',
};

const NO_DETAIL = undefined;

/** An answer as it came, and with its times as milliseconds. */
export interface ApiResponse<T> {
  readonly raw: unknown;
  readonly value: T;
}

/** The operators' API as a command uses it. Answers are checked. */
export class OperatorApi {
  readonly #find: () => Access;
  readonly #request: Request;
  #found: Access | undefined;

  /** `access` is asked once, before the first request. It throws CliError. */
  constructor(access: () => Access, request: Request) {
    this.#find = access;
    this.#request = request;
  }

  get #access(): Access {
    this.#found ??= this.#find();
    return this.#found;
  }

  /** Where the API is. Throws CliError. */
  get url(): string {
    return this.#access.url;
  }

  /**
   * Where a browser finds the console. The token stands behind the `#`: a browser keeps that to
   * itself, and the page takes it out of the address.
   */
  consoleUrl(): string {
    const { token, url } = this.#access;
    return `${url}/console/#token=${encodeURIComponent(token)}`;
  }

  get<A extends z.ZodType>(path: string, answer: A): Promise<ApiResponse<z.input<A>>> {
    return this.#json(path, { method: 'GET' }, answer);
  }

  post<A extends z.ZodType>(
    path: string,
    body: object,
    answer: A,
  ): Promise<ApiResponse<z.input<A>>> {
    return this.#json(path, this.#posting(body), answer);
  }

  /** The events of an answer that is a stream. Without a body it is only asked for. */
  async *events(path: string, body?: object): AsyncGenerator<Event> {
    const init = body === undefined ? { method: 'GET' } : this.#posting(body);
    const response = await this.#send(path, init);
    if (response.body === null) throw this.#broken();
    try {
      yield* eventsOf(response.body);
    } catch {
      throw new CliError(
        EXIT.access,
        'the connection was lost; what was decided goes on all the same (`holdfast run <id>` shows it)',
      );
    }
  }

  #posting(body: object): RequestInit {
    const headers = { 'Content-Type': 'application/json' };
    return { method: 'POST', headers, body: JSON.stringify(body) };
  }

  async #json<A extends z.ZodType>(
    path: string,
    init: RequestInit,
    answer: A,
  ): Promise<ApiResponse<z.input<A>>> {
    const response = await this.#send(path, init);
    const value: unknown = await response.json().catch(() => undefined);
    const parsed = z.safeEncode(answer, value as z.output<A>);
    if (!parsed.success) throw this.#broken();
    return { raw: value, value: parsed.data };
  }

  async #send(path: string, init: RequestInit): Promise<Response> {
    const { token, url } = this.#access;
    const headers = new Headers(init.headers);
    headers.set('Authorization', `Bearer ${token}`);
    let response: Response;
    try {
      response = await this.#request(`${url}${path}`, { ...init, headers });
    } catch {
      throw new CliError(
        EXIT.access,
        `nothing answers at ${url}; start it with \`holdfast start\`, or give its address with --url`,
      );
    }
    if (response.ok) return response;
    throw await this.#refusal(response, init.method === 'GET');
  }

  /** `asked`: only options of the command line can have been wrong. */
  async #refusal(response: Response, asked: boolean): Promise<CliError> {
    const parsed = refusal.safeParse(await response.json().catch(() => undefined));
    if (response.status === 401 || (response.status === 403 && !parsed.success)) {
      const words = `${this.#access.url} does not know you by this token; give another one with --token or --token-command`;
      return new CliError(EXIT.access, words);
    }
    if (!parsed.success) return this.#broken(response.status);
    const { code, message } = parsed.data.error;
    const hint = HINTS[code];
    const exit = asked && code === 'INVALID_PARAMS' ? EXIT.usage : EXIT.refused;
    const words = `${plain(message)} (${code})${hint === undefined ? '' : `; ${hint}`}`;
    return new CliError(exit, words, NO_DETAIL, code);
  }

  #broken(status?: number): CliError {
    const what = status === undefined ? 'something else' : `HTTP ${status}`;
    return new CliError(
      EXIT.access,
      `${this.#access.url} answers ${what}, not what the operators' API does; check --url`,
    );
  }
}

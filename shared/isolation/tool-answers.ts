import type { ToolServer } from '../domain/tool-server.ts';
import type { ListedTool, ToolServers } from '../ports/tool-servers.ts';
import type { Answer, Answers, Asked, ToolMethods } from './messages.ts';
import { answerTo } from './segment-answers.ts';
import { SentErrors } from './sent-errors.ts';

/** Servers of tools, as the process of an agent asks for them. */
export class ToolAnswers {
  readonly #errors = new SentErrors();
  readonly #servers: ToolServers;
  /** A server that was declared once is one, however often its declaration comes across. */
  readonly #known = new Map<string, ToolServer>();
  readonly #numbers = new WeakMap<readonly ListedTool[], number>();
  readonly #calls = new Map<number, AbortController>();
  #listings = 0;

  constructor(servers: ToolServers) {
    this.#servers = servers;
  }

  /** Never rejects. */
  async answer(call: number, asked: Asked<keyof ToolMethods>): Promise<Answer> {
    const stop = new AbortController();
    this.#calls.set(call, stop);
    try {
      return { value: await answerTo(this.#answers(stop.signal), asked) };
    } catch (error) {
      return { error: this.#errors.send(error) };
    } finally {
      this.#calls.delete(call);
    }
  }

  cancel(call: number): void {
    this.#calls.get(call)?.abort();
  }

  close(): void {
    for (const stop of this.#calls.values()) stop.abort();
  }

  #answers(signal: AbortSignal): Answers<keyof ToolMethods> {
    return {
      listTools: async (server) => {
        const listing = await this.#servers.list(this.#knownAs(server), signal);
        if (listing.kind === 'away') return listing;
        const number = this.#numbers.get(listing.tools) ?? (this.#listings += 1);
        this.#numbers.set(listing.tools, number);
        return { ...listing, number };
      },
      callTool: (server, tool, given) =>
        this.#servers.call(this.#knownAs(server), tool, given, signal),
    };
  }

  #knownAs(server: ToolServer): ToolServer {
    const key = JSON.stringify(server);
    const known = this.#known.get(key) ?? server;
    this.#known.set(key, known);
    return known;
  }
}

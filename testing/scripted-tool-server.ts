import type { JsonObject } from '../shared/domain/json.ts';
import type { ListedTool, ToolCallOutcome, ToolServers } from '../shared/ports/tool-servers.ts';

/** A call as it reached a server. */
export interface ReachedCall {
  readonly tool: string;
  readonly given: JsonObject;
}

type Said = string | ToolCallOutcome;
type Answer = Said | ((given: JsonObject) => Said | Promise<Said>);

const text = (said: string): ToolCallOutcome => ({
  kind: 'answered',
  failed: false,
  content: [{ kind: 'text', text: said }],
});

/**
 * A server of tools (MCP) within the test: its tools, and what each answers, can be changed any
 * time. `calls` is what reached it, and `away` a reason for which it can't be reached.
 */
export class ScriptedToolServer implements ToolServers {
  readonly calls: ReachedCall[] = [];
  readonly tools = new Map<string, { readonly listed: ListedTool; readonly answer: Answer }>();
  /** Why it can't be reached. */
  away: string | undefined;
  /** How often its tools were asked for. */
  asked = 0;
  onList: (number: number) => void = () => undefined;
  #listed: readonly ListedTool[] | undefined;

  /** Offers a tool, or another of that name. What it answers is a text, or any other outcome. */
  offer(listed: Partial<ListedTool> & { readonly name: string }, answer: Answer = 'done'): this {
    this.tools.set(listed.name, { listed: { schema: { type: 'object' }, ...listed }, answer });
    this.#listed = undefined;
    return this;
  }

  async list(): ReturnType<ToolServers['list']> {
    this.onList((this.asked += 1));
    if (this.away !== undefined) return { kind: 'away', reason: this.away };
    this.#listed ??= [...this.tools.values()].map(({ listed }) => listed);
    return { kind: 'tools', tools: this.#listed };
  }

  async call(
    _server: unknown,
    { name }: ListedTool,
    given: JsonObject,
    signal?: AbortSignal,
  ): Promise<ToolCallOutcome> {
    if (this.away !== undefined) return { kind: 'not_sent', reason: this.away };
    if (signal?.aborted === true) return { kind: 'not_sent', reason: 'aborted' };
    this.calls.push({ tool: name, given });
    const tool = this.tools.get(name);
    if (tool === undefined) return { kind: 'refused', reason: `unknown tool ${name}` };
    const said = typeof tool.answer === 'function' ? await tool.answer(given) : tool.answer;
    return typeof said === 'string' ? text(said) : said;
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

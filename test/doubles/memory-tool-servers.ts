import type { JsonObject } from '../../shared/domain/json.ts';
import type { ListedTool, ToolCallOutcome, ToolServers } from '../../shared/ports/tool-servers.ts';

/** A call as it reached a server. */
export interface ReachedCall {
  readonly tool: string;
  readonly given: JsonObject;
}

type Answer = ToolCallOutcome | ((given: JsonObject) => ToolCallOutcome | Promise<ToolCallOutcome>);

const text = (said: string): ToolCallOutcome => ({
  kind: 'answered',
  failed: false,
  content: [{ kind: 'text', text: said }],
});

/** A server of tools within the test: its tools, and what each answers, can be changed any time. */
export class MemoryToolServers implements ToolServers {
  readonly calls: ReachedCall[] = [];
  readonly tools = new Map<string, { readonly listed: ListedTool; readonly answer: Answer }>();
  /** Why it can't be reached. */
  away: string | undefined;
  /** How often its tools were asked for. */
  asked = 0;
  onList: (number: number) => void = () => undefined;
  #listed: readonly ListedTool[] | undefined;

  /** Offers a tool, or another of that name. */
  offer(
    listed: Partial<ListedTool> & { readonly name: string },
    answer: Answer = text('done'),
  ): this {
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
    return typeof tool.answer === 'function' ? tool.answer(given) : tool.answer;
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

import type { Millis } from './brand.ts';
import type { Remote } from './remote.ts';

/** A server of tools (MCP) that an agent with a model may use, as declared (docs/mcp.md). */
export interface ToolServer {
  readonly name: string;
  readonly at: ServerUrl | ServerCommand;
  /** One call may take this long, from its connection to the end of its answer. */
  readonly timeout: Millis;
  /** Bytes of one answer at most. */
  readonly answerBytes: number;
}

/** Reached by Streamable HTTP. */
export interface ServerUrl {
  readonly kind: 'url';
  readonly url: string;
  /** Sent with each request. No secrets: those are named by `credential`. */
  readonly headers: Readonly<Record<string, string>>;
  readonly credential?: Remote['credential'];
}

/** A child process that is spoken to over its input and output. */
export interface ServerCommand {
  readonly kind: 'command';
  /** The program, and its arguments. No shell reads them. */
  readonly command: readonly string[];
  readonly folder?: string;
  /** All that it gets besides PATH, HOME, USER, LOGNAME, SHELL and TERM. */
  readonly env: Readonly<Record<string, string | { readonly secret: string }>>;
}

import { sha256 } from '../domain/digest.ts';
import { canonicalJson, type JsonObject } from '../domain/json.ts';
import type { ListedTool, ToolServers } from '../ports/tool-servers.ts';
import type { Mcp } from './define-mcp.ts';
import {
  defineTool,
  type Tool,
  TOOL_NAME,
  type ToolContext,
  type ToolEffect,
} from './define-tool.ts';
import { objectProblem } from './json-schema.ts';
import { callServer } from './call-server.ts';

/** A tool of a server that can't be offered to the model; its author is told. */
export class ToolNotOffered extends Error {
  readonly server: string;
  readonly tool: string;

  constructor(server: string, tool: string, why: string) {
    super(`the tool ${JSON.stringify(tool)} of ${server} is not offered: ${why}`);
    this.name = 'ToolNotOffered';
    this.server = server;
    this.tool = tool;
  }
}

export interface ServerTools {
  readonly tools: readonly Tool[];
  readonly problems: readonly ToolNotOffered[];
}

/** The tools of a listing that the author lets the model have, as tools of ours. */
export function serverTools(
  mcp: Mcp,
  listed: readonly ListedTool[],
  servers: ToolServers,
): ServerTools {
  const problems: ToolNotOffered[] = [];
  const tools = new Map<string, Tool>();
  for (const tool of listed) {
    if (mcp.deny.has(tool.name) || mcp.allow?.has(tool.name) === false) continue;
    const name = nameOf(mcp, tool);
    const refused = (why: string) =>
      void problems.push(new ToolNotOffered(mcp.server.name, tool.name, why));
    if (!TOOL_NAME.test(name))
      refused(`${JSON.stringify(name)} is no name for a tool; set a prefix`);
    else if (tools.has(name)) refused(`another of its tools is called ${name}, too`);
    else tools.set(name, serverTool(mcp, tool, name, servers));
  }
  return { tools: [...tools.values()], problems };
}

/** MCP allows points and slashes in names; models do not. */
const nameOf = ({ prefix }: Mcp, { name }: ListedTool): string =>
  `${prefix}${name.replaceAll(/[./]/g, '_')}`;

const ANY = { type: 'object' };
/** Of a description that becomes public, if the author says nothing else. */
const WORDS = 300;

function serverTool(mcp: Mcp, listed: ListedTool, name: string, servers: ToolServers): Tool {
  const {
    approval,
    description,
    effect = effectOf(listed),
    summary,
  } = mcp.overrides.get(listed.name) ?? {};
  const words = description ?? listed.description ?? listed.title ?? listed.name;
  // A schema that can't be checked here is checked by the server.
  const checked = objectProblem(listed.schema) === undefined;
  const tool = defineTool({
    name,
    description: words.trim() === '' ? listed.name : words,
    parameters: checked ? listed.schema : ANY,
    effect,
    approval: approval ?? approvalOf(mcp, listed),
    summary: summary ?? (() => `${mcp.server.name}: ${listed.title ?? words}`.slice(0, WORDS)),
    run: (given: JsonObject, { signal }: ToolContext) =>
      callServer({ servers, server: mcp.server, tool: listed, effect, given, signal }),
  });
  return { ...tool, parameters: listed.schema, digest: digestOf(listed) };
}

/**
 * https://modelcontextprotocol.io/specification/2025-11-25/schema#toolannotations: what a server
 * does not say is the worst case.
 */
function effectOf({ idempotent, readOnly }: ListedTool): ToolEffect {
  if (readOnly === true) return 'read';
  return idempotent === true ? 'idempotent' : 'once';
}

function approvalOf({ approval }: Mcp, { destructive, readOnly }: ListedTool): boolean {
  return approval === 'destructive' ? readOnly !== true && destructive !== false : approval;
}

/** Of all that a model and a person may have judged it by. */
function digestOf({
  description,
  destructive,
  idempotent,
  name,
  readOnly,
  schema,
  title,
}: ListedTool) {
  const hints = [readOnly, destructive, idempotent].map((hint) => hint ?? null);
  return sha256(canonicalJson([name, title ?? null, description ?? null, schema, hints]));
}

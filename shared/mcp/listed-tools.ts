import type { Tool } from '@modelcontextprotocol/client';
import { canonicalJson, isJsonObject, isTooDeep, type Json } from '../domain/json.ts';
import type { ListedTool } from '../ports/tool-servers.ts';

/** A server with more is cut off: no model can choose among so many. */
const TOOLS = 512;
const DESCRIPTION = 8 * 1024;
const TITLE = 200;
const SCHEMA = 64 * 1024;

/** The tools of a listing that can be offered, and how many can't. */
export function listedTools(tools: readonly Tool[]): {
  readonly tools: readonly ListedTool[];
  readonly left: number;
} {
  const listed = tools.slice(0, TOOLS).flatMap((tool) => listedTool(tool) ?? []);
  return { tools: listed, left: tools.length - listed.length };
}

function listedTool({
  annotations = {},
  description,
  inputSchema,
  name,
  title = annotations.title,
}: Tool): ListedTool | undefined {
  // It came as JSON.
  const schema = inputSchema as Json;
  if (!isJsonObject(schema) || isTooDeep(schema) || canonicalJson(schema).length > SCHEMA)
    return undefined;
  const { destructiveHint, idempotentHint, readOnlyHint } = annotations;
  return {
    name,
    schema,
    ...(title !== undefined && { title: title.slice(0, TITLE) }),
    ...(description !== undefined && { description: description.slice(0, DESCRIPTION) }),
    ...(readOnlyHint !== undefined && { readOnly: readOnlyHint }),
    ...(destructiveHint !== undefined && { destructive: destructiveHint }),
    ...(idempotentHint !== undefined && { idempotent: idempotentHint }),
  };
}

import type { Json, JsonObject } from '../domain/json.ts';
import type { ToolServer } from '../domain/tool-server.ts';
import { canonicalJson } from '../domain/json.ts';
import { RetryLater } from '../models/retry-later.ts';
import type {
  ListedTool,
  ToolCallOutcome,
  ToolContent,
  ToolServers,
} from '../ports/tool-servers.ts';
import { ToolError, type ToolEffect } from './define-tool.ts';

export interface ServerCall {
  readonly servers: ToolServers;
  readonly server: ToolServer;
  readonly tool: ListedTool;
  readonly effect: ToolEffect;
  readonly given: JsonObject;
  readonly signal: AbortSignal;
}

/**
 * Calls a tool of a server. Throws ToolError for each outcome that the model may know, and, when a
 * call that must not run twice may have run, what ends its run as such.
 */
export async function callServer({
  effect,
  given,
  server,
  servers,
  signal,
  tool,
}: ServerCall): Promise<Json> {
  const outcome = await servers.call(server, tool, given, signal);
  if (outcome.kind === 'answered' && !outcome.failed) return resultOf(outcome);
  const why = failureOf(outcome, server);
  // A run whose effect is not known ends, for a person to look at (docs/agents.md).
  if (outcome.kind === 'outcome_unknown' && effect === 'once') throw new RetryLater(why);
  throw new ToolError(why);
}

function failureOf(outcome: ToolCallOutcome, { name }: ToolServer): string {
  switch (outcome.kind) {
    case 'answered': {
      const result = resultOf(outcome);
      return typeof result === 'string' ? result || 'The tool failed.' : JSON.stringify(result);
    }
    case 'refused':
      return `The server ${name} refused the call: ${outcome.reason}`;
    case 'not_sent':
      return `The server ${name} is not available (${outcome.reason}). The call was not carried out.`;
    case 'unusable':
      return `The tool may have run, but the answer of the server ${name} can't be used: ${outcome.reason}.`;
    case 'outcome_unknown':
      return `The server ${name} gave no answer (${outcome.reason}). The call may have been carried out.`;
  }
}

type Answered = Extract<ToolCallOutcome, { kind: 'answered' }>;

/** A text where that is all; otherwise text, data and what else there is by name, type and size. */
function resultOf({ content, structured }: Answered): Json {
  const text = content.flatMap((each) => (each.kind === 'text' ? [each.text] : [])).join('\n\n');
  const others = content.flatMap(describe);
  if (structured === undefined && others.length === 0) return text;
  return {
    // Servers write data as text, too, for clients that do not read it.
    ...(text !== '' && !says(text, structured) && { text }),
    ...(structured !== undefined && { data: structured }),
    ...(others.length > 0 && { content: others }),
  };
}

function says(text: string, data: JsonObject | undefined): boolean {
  if (data === undefined) return false;
  try {
    return canonicalJson(JSON.parse(text) as Json) === canonicalJson(data);
  } catch {
    return false;
  }
}

function describe(content: ToolContent): readonly JsonObject[] {
  switch (content.kind) {
    case 'text':
      return [];
    case 'bytes': {
      const { mediaType, raw, uri } = content;
      return [{ ...(uri !== undefined && { uri }), mediaType, bytes: raw.length }];
    }
    case 'link': {
      const { description, mediaType, name, uri } = content;
      return [
        {
          uri,
          ...(name !== undefined && { name }),
          ...(mediaType !== undefined && { mediaType }),
          ...(description !== undefined && { description }),
        },
      ];
    }
    case 'resource':
      return [{ uri: content.uri, text: content.text }];
  }
}

import type { Json, JsonObject } from '../domain/json.ts';
import type { ToolServer } from '../domain/tool-server.ts';
import { RetryLater } from '../models/retry-later.ts';
import type { ListedTool, ToolCallOutcome, ToolServers } from '../ports/tool-servers.ts';
import { ToolError, type ToolEffect } from './define-tool.ts';
import { toldAnswer, wholeAnswer } from './server-answer.ts';
import type { ToolParts } from './tool-parts.ts';

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
}: ServerCall): Promise<Json | ToolParts> {
  const outcome = await servers.call(server, tool, given, signal);
  if (outcome.kind === 'answered' && !outcome.failed) return wholeAnswer(outcome);
  const why = failureOf(outcome, server);
  // A run whose effect is not known ends, for a person to look at (docs/agents.md).
  if (outcome.kind === 'outcome_unknown' && effect === 'once') throw new RetryLater(why);
  throw new ToolError(why);
}

function failureOf(outcome: ToolCallOutcome, { name }: ToolServer): string {
  switch (outcome.kind) {
    case 'answered': {
      const result = toldAnswer(outcome);
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

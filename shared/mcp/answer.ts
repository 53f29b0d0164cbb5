import {
  type CallToolResult,
  type ContentBlock,
  ProtocolError,
  SdkError,
  SdkErrorCode,
} from '@modelcontextprotocol/client';
import { isJsonObject, isTooDeep } from '../domain/json.ts';
import type { ToolCallOutcome, ToolContent } from '../ports/tool-servers.ts';
import { ServerAway } from './server-away.ts';
import { TOO_LARGE } from './guarded-fetch.ts';
import type { SentCall } from './sent-call.ts';

/** Of words of a server, which are for the model. */
const WORDS = 1_000;

/** A result as the port says it. */
export function answered({
  content,
  isError = false,
  structuredContent,
}: CallToolResult): ToolCallOutcome {
  if (structuredContent !== undefined && isTooDeep(structuredContent))
    return { kind: 'unusable', reason: 'malformed' };
  return {
    kind: 'answered',
    failed: isError,
    content: content.map(contentOf),
    ...(isJsonObject(structuredContent) && { structured: structuredContent }),
  };
}

function contentOf(block: ContentBlock): ToolContent {
  switch (block.type) {
    case 'text':
      return { kind: 'text', text: block.text };
    case 'image':
    case 'audio':
      return { kind: 'bytes', mediaType: block.mimeType, raw: Buffer.from(block.data, 'base64') };
    case 'resource_link': {
      const { description, mimeType, name, uri } = block;
      return {
        kind: 'link',
        uri,
        name,
        ...(mimeType !== undefined && { mediaType: mimeType }),
        ...(description !== undefined && { description }),
      };
    }
    case 'resource': {
      const { resource } = block;
      const { mimeType = 'application/octet-stream', uri } = resource;
      return 'text' in resource
        ? { kind: 'resource', uri, text: resource.text }
        : { kind: 'bytes', mediaType: mimeType, raw: Buffer.from(resource.blob, 'base64'), uri };
    }
  }
}

/**
 * What a failed call says of its effect. Only what proves that the server did not take it, or that
 * it answered, is said to be that. `over`: why the wait for it ended.
 */
export function failedCall(error: unknown, sent: SentCall, over?: string): ToolCallOutcome {
  if (!sent.sent) return { kind: 'not_sent', reason: over ?? reasonOf(error, sent) };
  if (sent.fault === TOO_LARGE) return { kind: 'unusable', reason: TOO_LARGE };
  if (error instanceof ProtocolError)
    return { kind: 'refused', reason: error.message.slice(0, WORDS) };
  if (error instanceof SdkError && ANSWERED.includes(error.code))
    return { kind: 'unusable', reason: 'malformed' };
  const { status = 0 } = sent;
  if (status >= 400 && status < 500) return { kind: 'refused', reason: `http ${status}` };
  return { kind: 'outcome_unknown', reason: over ?? reasonOf(error, sent) };
}

/** Codes of an answer that was received, and is no result. */
const ANSWERED: readonly string[] = [
  SdkErrorCode.InvalidResult,
  SdkErrorCode.UnsupportedResultType,
  SdkErrorCode.InputRequiredRoundsExceeded,
];

/** Why a server can't be asked, in a few words of ours: they go to the log. */
export function reasonOf(error: unknown, { fault, status }: SentCall): string {
  if (fault !== undefined) return fault;
  if (status !== undefined && status >= 300) return `http ${status}`;
  if (error instanceof ProtocolError) return `json-rpc ${error.code}`;
  if (error instanceof SdkError) return error.code.toLowerCase().replaceAll('_', ' ');
  return error instanceof ServerAway ? error.message : codeOf(error);
}

/** Of a program that can't be started, for instance. */
function codeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : 'no usable answer';
}

/** The server has forgotten the session, and took nothing of the call. */
export function isForgotten({ status }: SentCall): boolean {
  return status === 404;
}

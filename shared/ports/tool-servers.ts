import type { JsonObject } from '../domain/json.ts';
import type { ToolServer } from '../domain/tool-server.ts';

/** A tool as its server lists it. */
export interface ListedTool {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  /** JSON Schema of its arguments. */
  readonly schema: JsonObject;
  /** What the server says of its effects; absent: it says nothing. */
  readonly readOnly?: boolean;
  readonly destructive?: boolean;
  readonly idempotent?: boolean;
}

export type ToolListing =
  | { readonly kind: 'tools'; readonly tools: readonly ListedTool[] }
  /** It can't be asked now; the reason is for logs and models. */
  | { readonly kind: 'away'; readonly reason: string };

/** A part of an answer. */
export type ToolContent =
  | { readonly kind: 'text'; readonly text: string }
  | {
      readonly kind: 'bytes';
      readonly mediaType: string;
      readonly raw: Uint8Array;
      readonly uri?: string;
    }
  | {
      readonly kind: 'link';
      readonly uri: string;
      readonly name?: string;
      readonly mediaType?: string;
      readonly description?: string;
    }
  /** A resource with its text. */
  | { readonly kind: 'resource'; readonly uri: string; readonly text: string };

/** What is known of a call. */
export type ToolCallOutcome =
  | {
      readonly kind: 'answered';
      /** The tool itself says that it failed. */
      readonly failed: boolean;
      readonly content: readonly ToolContent[];
      readonly structured?: JsonObject;
    }
  /** It answered that it does not carry the call out. */
  | { readonly kind: 'refused'; readonly reason: string }
  /** Provably nothing of the call left. */
  | { readonly kind: 'not_sent'; readonly reason: string }
  /** It answered the call, and the answer can't be used: malformed, or too large. */
  | { readonly kind: 'unusable'; readonly reason: string }
  /** The call left, and no answer says what became of it. */
  | { readonly kind: 'outcome_unknown'; readonly reason: string };

/**
 * Servers of tools. No method throws for what a server does: every outcome is a value. A call is
 * never sent twice, unless its server said that it did not take it.
 */
export interface ToolServers {
  /** As it was told within the last minute, or is asked now. */
  list(server: ToolServer, signal?: AbortSignal): Promise<ToolListing>;
  call(
    server: ToolServer,
    tool: ListedTool,
    given: JsonObject,
    signal?: AbortSignal,
  ): Promise<ToolCallOutcome>;
  /** Ends connections and child processes. */
  close(): Promise<void>;
}

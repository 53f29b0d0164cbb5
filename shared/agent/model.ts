import type { Ceiling } from '../domain/ceiling.ts';
import type { Json, JsonObject } from '../domain/json.ts';
import type { Message } from '../domain/message.ts';
import type { ArtifactInput } from './artifact-input.ts';

/**
 * What computes an agent's turns. An adapter maps a request to its provider's form and the answer
 * back; it throws RetryLater for a fault that may pass, and stops when the signal aborts. What it
 * answers is checked like any other outside data.
 */
export interface Model {
  readonly name: string;
  turn(request: ModelRequest, signal: AbortSignal, call: TurnContext): Promise<ModelTurn>;
}

/** What a turn works with besides its request. */
export interface TurnContext {
  /**
   * As `ctx.tighten`: to be awaited before a provider is asked that is stricter than the
   * publication, a fallback for instance. Rejects when the task can't go on under that ceiling;
   * nothing is to be asked then.
   */
  readonly tighten: (answer: Ceiling) => Promise<void>;
}

export interface ModelRequest {
  readonly instructions: string;
  /**
   * Oldest first; begins with the client's message. Every call has its result before the next turn.
   */
  readonly transcript: readonly ModelEntry[];
  readonly tools: readonly ToolSpec[];
}

export type ModelEntry =
  /** What the client said. */
  | { readonly role: 'user'; readonly message: Message }
  /** A turn that the model made before. */
  | { readonly role: 'model'; readonly text?: string; readonly calls: readonly ModelCall[] }
  /** The result of one call of the turn before it; of a failed one `{ error }`. */
  | {
      readonly role: 'tool';
      readonly callId: string;
      readonly name: string;
      readonly status: 'ok' | 'error';
      readonly value: Json;
    }
  /** The loop's own words to the model. */
  | { readonly role: 'notice'; readonly text: string };

export interface ModelCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: JsonObject;
}

export interface ToolSpec {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the arguments. */
  readonly parameters: JsonObject;
}

/** One turn. Without calls it is the last one, and its text is the final message of the task. */
export interface ModelTurn {
  /** Beside calls it is not shown: only the model reads it again. */
  readonly text?: string;
  /** Ids are made anew: a provider's own need not be unique. */
  readonly calls?: readonly {
    readonly id?: string;
    readonly name: string;
    readonly arguments: unknown;
  }[];
  /** Made public when the turn is committed. */
  readonly artifacts?: readonly Omit<ArtifactInput, 'append' | 'lastChunk'>[];
  readonly usage?: ModelUsage;
}

export interface ModelUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** In millionths of the currency that the limit `cost` is in. */
  readonly cost?: number;
}

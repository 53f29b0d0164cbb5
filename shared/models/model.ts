import type { Millis } from '../domain/brand.ts';
import type { Ceiling } from '../domain/ceiling.ts';
import type { Json, JsonObject } from '../domain/json.ts';
import type { Message, Part } from '../domain/message.ts';

/**
 * What computes an agent's turns. An adapter maps a request to its provider's form and the answer
 * back; it throws RetryLater for a fault that may pass, ModelFault for one that will not, and stops
 * when the signal aborts. What it answers is checked like any other outside data.
 */
export interface Model {
  readonly name: string;
  /** Whose service it is: models of one provider fail together. Default: `name`. */
  readonly provider?: string;
  /** Tokens of one request with its answer: what outgrows it is summed up. Absent: not known. */
  readonly window?: number;
  /** How much of its answers may be kept: a run is put under it before the model is asked. */
  readonly ceiling?: Ceiling;
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
  /** Milliseconds since 1970. */
  readonly now: () => Millis;
  /** Calls back once after so many milliseconds; the answer cancels it. */
  readonly after: (wait: Millis, callback: () => void) => () => void;
  /** Tells the author of an error that the turn goes on after (docs/errors.md). */
  readonly report: (model: string, error: unknown) => void;
  /** Takes the turn's text as it is written. Absent: nothing is shown before the turn is whole. */
  readonly draft?: Draft;
}

/**
 * Where a model that can writes the text of a turn piece by piece. The text of the turn that it
 * answers takes the place of what was written.
 */
export interface Draft {
  /**
   * Adds to the text. Callers see it within a quarter of a second, once it is committed. To be
   * awaited: it resolves later when much is waiting to be committed, and rejects once the segment
   * is over.
   */
  write(text: string): Promise<void>;
  /** The draft of another try: what it writes first replaces all that was written before. */
  anew(): Draft;
}

/** Asks a model for a turn, under its ceiling and with a draft of its own. */
export async function ask(
  model: Model,
  request: ModelRequest,
  signal: AbortSignal,
  call: TurnContext,
): Promise<ModelTurn> {
  if (model.ceiling !== undefined) await call.tighten(model.ceiling);
  const { draft } = call;
  return model.turn(request, signal, draft === undefined ? call : { ...call, draft: draft.anew() });
}

export interface ModelRequest {
  readonly instructions: string;
  /**
   * Oldest first; begins with the client's message. Every call has its result before the next turn.
   */
  readonly transcript: readonly ModelEntry[];
  /**
   * What was said in earlier tasks of this context, oldest first: messages of the client, answers
   * (entries of role `model` without calls) and notices. Absent if there is none.
   */
  readonly memory?: readonly ModelEntry[];
  readonly tools: readonly ToolSpec[];
  /** JSON Schema of the final answer, which `instructions` asks for. Absent: any text will do. */
  readonly answer?: JsonObject;
}

export type ModelEntry =
  /** What the client said. */
  | { readonly role: 'user'; readonly message: Message }
  /** A turn that a model made before; `by` and `state` are what it said of itself. */
  | {
      readonly role: 'model';
      readonly text?: string;
      readonly calls: readonly ModelCall[];
      readonly by?: string;
      readonly state?: Json;
    }
  /** The result of one call of the turn before it; of a failed one `{ error }`. */
  | {
      readonly role: 'tool';
      readonly callId: string;
      readonly name: string;
      readonly status: 'ok' | 'error';
      readonly value: Json;
      /** A result in parts; of its files `value` has only name, type and size. */
      readonly parts?: readonly Part[];
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
  /** Beside calls it is only shown by an agent that streams. */
  readonly text?: string;
  /** Ids are made anew: a provider's own need not be unique. */
  readonly calls?: readonly {
    readonly id?: string;
    readonly name: string;
    readonly arguments: unknown;
  }[];
  /** Made public when the turn is committed. */
  readonly artifacts?: readonly ModelArtifact[];
  readonly usage?: ModelUsage;
  /** Which model answered. Default: the name of the one that was asked. */
  readonly by?: string;
  /**
   * What the provider needs back with this turn, a signature for instance: sealed with the step,
   * handed back as it was, read by nothing else. JSON, 4 MiB at most.
   */
  readonly state?: Json;
  /** Why the model stopped. Default: `stop`. */
  readonly finish?: ModelFinish;
}

/**
 * `stop`: it was done, or calls tools. `length`: it was cut off at a limit. `malformed`: it wrote
 * no valid turn. `other`: its provider does not say, and it may not be done. After these three
 * nothing of the turn is carried out and the model is told; the second time in a row ends the task.
 * `filtered`: its provider held the answer back. `refused`: the model declined. These end the task.
 */
export type ModelFinish = 'stop' | 'length' | 'malformed' | 'other' | 'filtered' | 'refused';

/** As an agent's artifact, and always whole. */
export interface ModelArtifact {
  readonly artifactId?: string;
  readonly name?: string;
  readonly description?: string;
  readonly parts: string | readonly Part[];
  readonly metadata?: JsonObject;
}

export interface ModelUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Of the input: read from the provider's cache. */
  readonly cachedInputTokens?: number;
  /** Of the output: for reasoning that is not shown. */
  readonly reasoningTokens?: number;
  /** In millionths of the currency that the limit `cost` is in. */
  readonly cost?: number;
}

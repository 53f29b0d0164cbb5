export { ContextTooLong, LanguageModel, LanguageModelOptions, Model, ModelArtifact, ModelCall, ModelEntry, ModelFault, ModelFinish, ModelRequest, ModelTurn, ModelUsage, RetryLater, ToolSpec, TurnContext, languageModel };

// uses @ai-sdk/provider: LanguageModelV3

// uses @ai-sdk/provider: LanguageModelV4

// uses @ai-sdk/provider: LanguageModelV4CallOptions

// -- shared/domain/brand
export type Millis = number;

// -- shared/domain/ceiling
export declare const CEILINGS: readonly ['none', 'metadata', 'redacted', 'full'];
export type Ceiling = (typeof CEILINGS)[number];

// -- shared/domain/json
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export type JsonObject = {
    readonly [key: string]: Json;
};

// -- shared/domain/message
interface PartFrame {
    readonly mediaType?: string;
    readonly filename?: string;
    readonly metadata?: JsonObject;
}
export type TextPart = PartFrame & {
    readonly text: string;
};
export type DataPart = PartFrame & {
    readonly data: Json;
};
export type RawPart = PartFrame & {
    readonly raw: Uint8Array;
};
export type UrlPart = PartFrame & {
    readonly url: string;
};
export type Part = TextPart | DataPart | RawPart | UrlPart;
export type Role = 'user' | 'agent';
export interface MessageOf<P> {
    readonly messageId: string;
    readonly role: Role;
    readonly at?: Millis;
    readonly parts: readonly P[];
    readonly metadata?: JsonObject;
    readonly extensions?: readonly string[];
    readonly referenceTaskIds?: readonly string[];
}
export type Message = MessageOf<Part>;

// -- shared/domain/prices
export interface Prices {
    readonly input: number;
    readonly output: number;
    readonly cachedInput?: number;
}

// -- shared/models/ai-sdk/any-language-model
export type LanguageModel = LanguageModelV3 | LanguageModelV4;

// -- shared/models/ai-sdk/language-model
export interface LanguageModelOptions extends Pick<LanguageModelV4CallOptions, 'frequencyPenalty' | 'headers' | 'maxOutputTokens' | 'presencePenalty' | 'providerOptions' | 'seed' | 'stopSequences' | 'temperature' | 'topK' | 'topP'> {
    readonly reasoning?: NonNullable<LanguageModelV4CallOptions['reasoning']>;
    readonly prices?: Prices;
    readonly window?: number;
    readonly ceiling?: Ceiling;
    readonly idleTimeout?: Millis;
}
export declare function languageModel(model: LanguageModel, options?: LanguageModelOptions): Model;

// -- shared/models/model-fault
export declare class ModelFault extends Error {
    readonly name: string;
    readonly model: string;
    readonly status: number | undefined;
    constructor(model: string, message: string, { status, ...options }?: ErrorOptions & {
        readonly status?: number;
    });
}
export declare class ContextTooLong extends ModelFault {
    readonly name = "ContextTooLong";
}

// -- shared/models/model
export interface Model {
    readonly name: string;
    readonly provider?: string;
    readonly window?: number;
    readonly ceiling?: Ceiling;
    turn(request: ModelRequest, signal: AbortSignal, call: TurnContext): Promise<ModelTurn>;
}
export interface TurnContext {
    readonly tighten: (answer: Ceiling) => Promise<void>;
    readonly now: () => Millis;
    readonly after: (wait: Millis, callback: () => void) => () => void;
    readonly report: (model: string, error: unknown) => void;
    readonly draft?: Draft;
}
export interface Draft {
    write(text: string): Promise<void>;
    anew(): Draft;
}
export interface ModelRequest {
    readonly instructions: string;
    readonly transcript: readonly ModelEntry[];
    readonly memory?: readonly ModelEntry[];
    readonly tools: readonly ToolSpec[];
    readonly answer?: JsonObject;
}
export type ModelEntry = 
{
    readonly role: 'user';
    readonly message: Message;
}
 | {
    readonly role: 'model';
    readonly text?: string;
    readonly calls: readonly ModelCall[];
    readonly by?: string;
    readonly state?: Json;
}
 | {
    readonly role: 'tool';
    readonly callId: string;
    readonly name: string;
    readonly status: 'ok' | 'error';
    readonly value: Json;
    readonly parts?: readonly Part[];
}
 | {
    readonly role: 'notice';
    readonly text: string;
};
export interface ModelCall {
    readonly id: string;
    readonly name: string;
    readonly arguments: JsonObject;
}
export interface ToolSpec {
    readonly name: string;
    readonly description: string;
    readonly parameters: JsonObject;
}
export interface ModelTurn {
    readonly text?: string;
    readonly calls?: readonly {
        readonly id?: string;
        readonly name: string;
        readonly arguments: unknown;
    }[];
    readonly artifacts?: readonly ModelArtifact[];
    readonly usage?: ModelUsage;
    readonly by?: string;
    readonly state?: Json;
    readonly finish?: ModelFinish;
}
export type ModelFinish = 'stop' | 'length' | 'malformed' | 'other' | 'filtered' | 'refused';
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
    readonly cachedInputTokens?: number;
    readonly reasoningTokens?: number;
    readonly cost?: number;
}

// -- shared/models/retry-later
export declare class RetryLater extends Error {
    readonly delay: number | undefined;
    constructor(message: string, options?: ErrorOptions & {
        readonly delay?: number;
    });
}


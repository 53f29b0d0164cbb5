export { AgentContext, AgentDeclaration, AgentFiles, Approval, Artifact, ArtifactInput, Caller, CardExtension, CardFields, CardSkill, Ceiling, ContextTooLong, DefinedAgent, EventDeclaration, EventDeclarations, EventOptions, FileArtifact, FilesDeclaration, Instructions, InstructionsContext, Json, JsonObject, LanguageModel, LanguageModelOptions, Limits, Mcp, McpCommandDeclaration, McpDeclaration, McpToolOverride, McpUrlDeclaration, MemoryDeclaration, Message, Model, ModelAgentDeclaration, ModelArtifact, ModelCall, ModelEntry, ModelFault, ModelFinish, ModelRequest, ModelTurn, ModelUsage, Part, Prices, PublicationProfile, Recordable, Remote, RemoteAnswer, RemoteDeclaration, RequestDetails, RetryLater, ScheduleDeclaration, ScheduledAt, StepCall, StepFailed, StepOptions, StepsAgentDeclaration, StepsContext, Task, TaskFailed, TaskSpan, Tool, ToolContext, ToolDeclaration, ToolEffect, ToolError, ToolParts, ToolSpec, TurnContext, Words, defineAgent, defineMcp, defineRemote, defineTool, languageModel, textOf, toolParts };

// uses @ai-sdk/provider: LanguageModelV3

// uses @ai-sdk/provider: LanguageModelV4

// uses @ai-sdk/provider: LanguageModelV4CallOptions

// uses zod: z

// -- shared/agent/agent-context
export interface AgentContext {
    readonly taskId: string;
    readonly contextId: string;
    readonly message: Message;
    readonly text: string;
    readonly caller: Caller;
    readonly request: RequestDetails;
    readonly history: readonly Message[];
    readonly schedule?: ScheduledAt;
    readonly attempt: number;
    readonly signal: AbortSignal;
    readonly trace: TaskSpan;
    earlierTasks(): Promise<readonly Task[]>;
    status(words: Words): Promise<void>;
    artifact(artifact: ArtifactInput): Promise<void>;
    readonly files: AgentFiles;
    ask(question: Words, schema?: z.ZodType | JsonObject): never;
    reject(reason: Words): never;
    tighten(answer: Ceiling): Promise<void>;
}

// -- shared/agent/agent-files
export interface AgentFiles {
    readonly folder: string;
    artifact(path: string, more?: FileArtifact): Promise<void>;
}
export interface FileArtifact {
    readonly artifactId?: string;
    readonly name?: string;
    readonly description?: string;
    readonly mediaType?: string;
    readonly metadata?: JsonObject;
}
export type FilesDeclaration = boolean | (Partial<FilesProfile> & {
    readonly form?: FilesForm;
});

// -- shared/agent/artifact-input
export interface ArtifactInput {
    readonly artifactId?: string;
    readonly name?: string;
    readonly description?: string;
    readonly parts: Words;
    readonly metadata?: JsonObject;
    readonly append?: boolean;
    readonly lastChunk?: boolean;
}

// -- shared/agent/card-fields
export interface CardFields {
    readonly name: string;
    readonly displayName?: string;
    readonly description: string;
    readonly version: string;
    readonly skills: readonly CardSkill[];
    readonly defaultInputModes: readonly string[];
    readonly defaultOutputModes: readonly string[];
    readonly provider?: {
        readonly organization: string;
        readonly url: string;
    };
    readonly documentationUrl?: string;
    readonly iconUrl?: string;
    readonly extensions?: readonly CardExtension[];
    readonly extended?: ExtendedFields;
}
export interface ExtendedFields {
    readonly description?: string;
    readonly skills?: readonly CardSkill[];
}
export interface CardSkill {
    readonly id: string;
    readonly name: string;
    readonly description: string;
    readonly tags: readonly string[];
    readonly examples?: readonly string[];
    readonly inputModes?: readonly string[];
    readonly outputModes?: readonly string[];
}
export interface CardExtension {
    readonly uri: string;
    readonly description?: string;
    readonly required?: boolean;
    readonly params?: {
        readonly [key: string]: unknown;
    };
}

// -- shared/agent/declared-agent
export type Maybe<T> = T | undefined | void;
export interface SharedDeclaration extends Pick<CardFields, 'name' | 'description'>, Partial<Omit<CardFields, 'name' | 'description'>> {
    readonly reply?: (message: Message) => Maybe<Words> | Promise<Maybe<Words>>;
    readonly parallel?: boolean;
    readonly publication?: PublicationProfile;
    readonly files?: FilesDeclaration;
    readonly schedule?: string | ScheduleDeclaration;
    readonly spends?: boolean;
    readonly isolation?: Isolation;
}
export interface DefinedAgent extends Agent {
    readonly card: CardFields;
    readonly spends: boolean;
    readonly withModel?: (model: Model) => DefinedAgent;
    readonly isolation?: Isolation;
}

// -- shared/agent/define-agent
type Absent<K extends PropertyKey> = {
    readonly [key in K]?: never;
};
export interface AgentDeclaration extends SharedDeclaration, Absent<keyof ModelAgentFields | 'steps' | 'events'> {
    readonly run: (ctx: AgentContext) => Maybe<Words> | Promise<Maybe<Words>>;
}
export interface StepsAgentDeclaration<E extends EventDeclarations = EventDeclarations> extends SharedDeclaration, Absent<Exclude<keyof ModelAgentFields, 'remotes' | 'limits'> | 'run'> {
    readonly steps: StepsFunction<E>;
    readonly events?: E;
    readonly remotes?: readonly Remote[];
    readonly limits?: Limits;
}
export interface ModelAgentDeclaration extends SharedDeclaration, ModelAgentFields {
    readonly run?: never;
    readonly steps?: never;
    readonly events?: never;
}
export declare function defineAgent<E extends EventDeclarations = EventDeclarations>(declaration: AgentDeclaration | StepsAgentDeclaration<E> | ModelAgentDeclaration): DefinedAgent;

// -- shared/agent/define-mcp
export interface McpToolOverride {
    readonly effect?: ToolEffect;
    readonly approval?: boolean | ((args: JsonObject) => boolean);
    readonly summary?: (args: JsonObject) => string;
    readonly description?: string;
}
interface McpFrame {
    readonly name: string;
    readonly prefix?: string;
    readonly allow?: readonly string[];
    readonly deny?: readonly string[];
    readonly approval?: boolean | 'destructive';
    readonly overrides?: Readonly<Record<string, McpToolOverride>>;
    readonly timeout?: number;
    readonly answerBytes?: number;
}
export interface McpUrlDeclaration extends McpFrame {
    readonly url: string;
    readonly credential?: Remote['credential'];
    readonly headers?: Readonly<Record<string, string>>;
    readonly command?: never;
    readonly folder?: never;
    readonly env?: never;
}
export interface McpCommandDeclaration extends McpFrame {
    readonly command: readonly string[];
    readonly folder?: string;
    readonly env?: Readonly<Record<string, string | {
        readonly secret: string;
    }>>;
    readonly url?: never;
    readonly credential?: never;
    readonly headers?: never;
}
export type McpDeclaration = McpUrlDeclaration | McpCommandDeclaration;
export interface Mcp {
    readonly server: ToolServer;
    readonly prefix: string;
    readonly allow: ReadonlySet<string> | undefined;
    readonly deny: ReadonlySet<string>;
    readonly approval: boolean | 'destructive';
    readonly overrides: ReadonlyMap<string, McpToolOverride>;
}
export declare function defineMcp(declaration: McpDeclaration): Mcp;

// -- shared/agent/define-remote
export interface RemoteDeclaration {
    readonly name: string;
    readonly description: string;
    readonly card: string;
    readonly signedBy?: Remote['signedBy'];
    readonly credential?: Remote['credential'];
    readonly pollInterval?: number;
    readonly pollMin?: number;
    readonly pollMax?: number;
    readonly deadline?: number;
    readonly messageBytes?: number;
    readonly answerBytes?: number;
    readonly approval?: boolean;
    readonly push?: boolean;
}
export declare function defineRemote(declaration: RemoteDeclaration): Remote;

// -- shared/agent/define-tool
export type ToolEffect = 'read' | 'idempotent' | 'once';
export interface ToolContext<I = undefined> {
    readonly signal: AbortSignal;
    readonly taskId: string;
    readonly contextId: string;
    readonly callId: string;
    readonly attempt: number;
    readonly tighten: (answer: Ceiling) => Promise<void>;
    readonly status: (words: Words) => Promise<void>;
    readonly artifact: (artifact: ArtifactInput) => Promise<void>;
    readonly caller: Caller;
    readonly request: RequestDetails;
    readonly files: AgentFiles;
    readonly trace: TaskSpan;
    readonly input: I;
}
export interface ToolDeclaration<P extends Schema, I extends z.ZodType = z.ZodUndefined> {
    readonly name: string;
    readonly description: string;
    readonly parameters: P;
    readonly effect: ToolEffect;
    readonly approval?: boolean | ((args: Fitting<P>) => boolean);
    readonly summary?: (args: Fitting<P>) => string;
    readonly input?: {
        readonly question: string | ((args: Fitting<P>) => string);
        readonly schema: I;
    };
    readonly run: (args: Fitting<P>, call: ToolContext<z.output<I>>) => unknown;
}
export interface Tool {
    readonly name: string;
    readonly description: string;
    readonly effect: ToolEffect;
    readonly parameters: JsonObject;
    readonly digest?: string;
    readonly facets: Declared['facets'];
    ready(given: JsonObject): ReadyCall | Unfit;
}
export interface ReadyCall {
    readonly kind: 'ready';
    readonly approval: boolean;
    readonly summary: string;
    readonly question?: Question;
    readonly thrown: readonly unknown[];
    run(call: Omit<ToolContext, 'input'>, input?: Json): Promise<unknown>;
}
export interface Question {
    readonly words: string;
    readonly schema?: Json;
    readonly open?: true;
    problem(answer: Json): string | undefined;
}
export declare class ToolError extends Error {
    constructor(message: string, options?: ErrorOptions);
}
export declare function defineTool<P extends Schema, I extends z.ZodType = z.ZodUndefined>(declaration: ToolDeclaration<P, I>): Tool;

// -- shared/agent/endings
export declare class TaskFailed extends Error {
    constructor(message: string, options?: ErrorOptions);
}

// -- shared/agent/json-schema
export type Schema = z.ZodType | JsonObject;
export type Fitting<S extends Schema> = S extends z.ZodType ? z.output<S> : JsonObject;

// -- shared/agent/memory
export type MemoryDeclaration = 'off' | Mode | {
    readonly mode?: Mode;
    readonly tokens?: number;
};
type Mode = 'tasks' | 'summary';

// -- shared/agent/model-agent
export interface ModelAgentFields {
    readonly model: AnyModel | readonly AnyModel[];
    readonly instructions: Instructions;
    readonly memory?: MemoryDeclaration;
    readonly tools?: readonly Tool[];
    readonly ask?: boolean;
    readonly remotes?: readonly Remote[];
    readonly mcp?: readonly Mcp[];
    readonly limits?: Limits;
    readonly structured?: z.ZodType;
    readonly stream?: boolean;
}
type AnyModel = Model | LanguageModel;

// -- shared/agent/opening
export interface InstructionsContext {
    readonly taskId: string;
    readonly contextId: string;
    readonly caller: Caller;
    readonly request: RequestDetails;
    readonly message: Message;
    readonly schedule?: ScheduledAt;
    readonly signal: AbortSignal;
}
export type Instructions = string | ((about: InstructionsContext) => string | Promise<string>);

// -- shared/agent/parts
export type Words = string | readonly Part[];

// -- shared/agent/schedule-declaration
export interface ScheduleDeclaration {
    readonly cron: string;
    readonly timezone?: string;
    readonly message?: Words;
    readonly missed?: MissedRule;
    readonly overlap?: OverlapRule;
    readonly owner?: string;
}

// -- shared/agent/steps/event-declaration
export interface EventDeclaration<S extends z.ZodType = z.ZodType> {
    readonly schema: S;
    readonly owner?: boolean;
}
export type EventDeclarations = Readonly<Record<string, EventDeclaration>>;

// -- shared/agent/steps/run-steps
export type StepsFunction<E extends EventDeclarations = EventDeclarations> = (ctx: StepsContext<E>) => Maybe<Words> | Promise<Maybe<Words>>;

// -- shared/agent/steps/step-failed
export declare class StepFailed extends Error {
    readonly fault: string;
    constructor(message: string, fault: string);
}

// -- shared/agent/steps/steps-context
export interface StepsContext<E extends EventDeclarations = EventDeclarations> {
    readonly taskId: string;
    readonly contextId: string;
    readonly message: Message;
    readonly text: string;
    readonly caller: Caller;
    readonly request: RequestDetails;
    readonly schedule?: ScheduledAt;
    readonly signal: AbortSignal;
    readonly trace: TaskSpan;
    step<T>(name: string, run: (step: StepCall) => T | Promise<T>, options?: StepOptions): Promise<Recordable<T>>;
    sleep(span: number | string): Promise<void>;
    until(time: Date | number): Promise<void>;
    call(remote: string, message: Words): Promise<RemoteAnswer>;
    approve(name: string, asked: {
        readonly summary: string;
        readonly details?: Json;
    }): Promise<Approval>;
    ask(question: Words): Promise<Message>;
    ask<S extends z.ZodType>(question: Words, schema: S): Promise<z.output<S>>;
    event<N extends keyof E & string>(name: N): Promise<z.output<E[N]['schema']>>;
    event<N extends keyof E & string>(name: N, options: EventOptions): Promise<z.output<E[N]['schema']> | undefined>;
    all<T extends readonly unknown[]>(branches: {
        readonly [K in keyof T]: (ctx: StepsContext<E>) => Promise<T[K]>;
    }): Promise<T>;
    status(words: Words): Promise<void>;
    artifact(artifact: ArtifactInput): Promise<void>;
    readonly files: AgentFiles;
    earlierTasks(): Promise<readonly Task[]>;
    reject(reason: Words): Promise<never>;
    tighten(answer: Ceiling): Promise<void>;
}
export interface EventOptions {
    readonly timeout: number | string;
}
export interface StepOptions {
    readonly effect?: ToolEffect;
}
export interface StepCall {
    readonly key: string;
    readonly attempt: number;
    readonly now: Date;
    readonly signal: AbortSignal;
}
export type Recordable<T> = T extends Date ? string : T extends string | number | boolean | null ? T : T extends undefined | void ? null : T extends readonly (infer E)[] ? Recordable<E>[] : T extends object ? {
    -readonly [K in keyof T]: Recordable<T[K]>;
} : unknown;
export interface RemoteAnswer {
    readonly status: string;
    readonly message: readonly Json[];
    readonly artifacts: readonly Json[];
    readonly note?: string;
}
export interface Approval {
    readonly approved: boolean;
    readonly by: DeciderKind;
}

// -- shared/agent/tool-parts
export declare class ToolParts {
    readonly words: Words;
    readonly told?: Json;
    constructor(words: Words, told?: Json);
}
export declare function toolParts(words: Words): ToolParts;

// -- shared/agent/unfit
export interface Unfit {
    readonly kind: 'unfit';
    readonly why: string;
    readonly thrown?: unknown;
}

// -- shared/app/agents
interface Words {
    readonly parts: readonly Part[];
    readonly frame?: MessageFrame;
}
export type Ending = 
(Words & {
    readonly kind: 'completed';
    readonly artifacts?: readonly Artifact[];
    readonly spend?: Spending;
    readonly last?: StepFacts;
})
 | (Words & {
    readonly kind: 'asked';
    readonly schema?: Json;
    readonly auth?: true;
}) | (Words & {
    readonly kind: 'rejected';
})
 | (Words & {
    readonly kind: 'cancelled';
})
 | (Words & {
    readonly kind: 'failed';
    readonly error: unknown;
    readonly fault?: string;
})
 | {
    readonly kind: 'retry';
    readonly error: unknown;
    readonly delay?: number;
}
 | {
    readonly kind: 'paused';
    readonly pause: PauseRequest;
    readonly calls?: readonly WaitingCall[];
}
 | {
    readonly kind: 'suspended';
} | {
    readonly kind: 'exceeded';
    readonly limit: Exceeded;
} | Resting
 | {
    readonly kind: 'slept';
    readonly until: Millis;
    readonly awaited?: Awaited;
}
 | {
    readonly kind: 'misfit';
    readonly misfit: Misfit;
}
 | {
    readonly kind: 'yielded';
}
 | {
    readonly kind: 'interrupted';
};
export type Replayed = Ending | {
    readonly kind: 'refused';
    readonly calls: readonly RefusedCall[];
};
export interface RefusedCall extends WaitingCall {
    readonly why: 'gone' | 'unfit' | 'server';
}
export type PauseRequest = {
    readonly kind: 'approval';
    readonly words: readonly Part[];
    readonly digest: string;
    readonly calls: readonly HeldCall[];
} | {
    readonly kind: 'input';
    readonly words: readonly Part[];
    readonly schema?: Json;
    readonly digest?: string;
    readonly callId?: string;
    readonly auth?: true;
};
export interface WaitingCall {
    readonly id: string;
    readonly tool: string;
}
export interface HeldCall extends WaitingCall {
    readonly summary: string;
}
export interface Problem {
    readonly where: 'agent' | 'tool' | 'model' | 'turn' | 'stray' | 'files';
    readonly tool?: string;
    readonly model?: string;
    readonly fault?: string;
    readonly error: unknown;
}
export interface RecalledTask extends Task {
    readonly cut: boolean;
}
export interface Recalled {
    readonly tasks: readonly RecalledTask[];
    readonly more: boolean;
}
export interface SegmentPorts {
    readonly taskId: string;
    readonly contextId: string;
    readonly message: Message;
    readonly caller: Caller;
    readonly request: RequestDetails;
    readonly history: readonly Message[];
    readonly artifacts: number;
    readonly attempt: number;
    readonly signal: AbortSignal;
    earlierTasks(): Promise<readonly Task[]>;
    recall(taskIds?: readonly string[]): Promise<Recalled>;
    taskById(id: string): Promise<Task | undefined>;
    before(): Promise<Task | undefined>;
    status(parts: readonly Part[], more?: {
        readonly frame?: MessageFrame;
        readonly metadata?: JsonObject;
    }): Promise<void>;
    artifact(artifact: Artifact, append: boolean, lastChunk: boolean): Promise<void>;
    tighten(wanted: Tightening): Promise<void>;
    readonly prices: PriceTable;
    now(): Millis;
    after(wait: Millis, callback: () => void): () => void;
    warn(event: string, fields?: LogFields): void;
    readonly transcript: Transcript;
    readonly toolServers: ToolServers;
    readonly folder?: string;
    readonly span: TaskSpan;
    readonly measure: (name: 'gen_ai.client.operation.duration' | 'gen_ai.client.token.usage', value: number, attributes: Attributes) => void;
    report(problem: Problem): void;
    readonly stray: (error: unknown) => void;
}
export interface PublicationProfile {
    readonly task?: Ceiling;
    readonly provider?: Ceiling;
    readonly archive?: ArchiveMode;
    readonly archiveInterval?: Millis;
    readonly trail?: Millis;
    readonly decisions?: {
        readonly owner?: boolean;
        readonly fourEyes?: boolean;
    };
}
export interface FilesProfile {
    readonly form: FilesForm;
    readonly limits?: Partial<WorkspaceLimits>;
}
export interface Agent {
    readonly name: AgentName;
    readonly parallel: boolean;
    readonly publication?: PublicationProfile;
    readonly files?: FilesProfile;
    readonly remotes?: readonly Remote[];
    readonly tools?: readonly Declared[];
    readonly steps?: true;
    readonly events?: readonly DeclaredSignal[];
    readonly schedule?: Schedule;
    readonly limits?: Limits;
    run(segment: SegmentPorts): Promise<Ending>;
    replay?(segment: SegmentPorts): Promise<Replayed>;
    reply?(message: Message): Promise<readonly Part[] | undefined>;
}

// -- shared/app/task-span
export interface TaskSpan {
    readonly traceparent?: string;
    set(attributes: Attributes): void;
    span<T>(name: string, work: (span: TaskSpan) => T | Promise<T>, attributes?: Attributes, kind?: SpanKind): Promise<T>;
}

// -- shared/app/transcript
export interface Order {
    readonly callId: string;
    readonly remote: Remote;
    readonly parts: readonly Part[];
}
export type Delegated = 
{
    readonly kind: 'answered';
    readonly step: Result;
}
 | {
    readonly kind: 'suspended';
}
 | {
    readonly kind: 'exceeded';
    readonly limit: Exceeded;
} | Resting;
export interface Resting {
    readonly kind: 'resting';
    readonly remote: string;
    readonly until: Millis;
}
export interface Transcript {
    load(): Promise<readonly Step[]>;
    append(steps: Step | readonly Step[], more?: {
        readonly artifacts?: readonly Artifact[];
        readonly spend?: Spending;
        readonly told?: readonly StepTold[];
    }): Promise<void>;
    begin(callId: string): Promise<void>;
    delegate(order: Order): Promise<Delegated>;
    signals(from: number): Promise<{
        readonly count: number;
        readonly signals: readonly SignalFacts[];
    }>;
    signal(number: number): Promise<Signal>;
    publicDigest(digest: string): Promise<string>;
    readonly spent: Spent;
    maySumUp(): Promise<boolean>;
    readonly delegates: boolean;
    readonly limits: Limits;
    readonly continuation: Continuation | undefined;
    readonly timeLeft: Millis;
}

// -- shared/domain/blocked
export interface Declared {
    readonly kind: 'tool' | 'remote';
    readonly name: string;
    readonly facets: Readonly<Record<string, string>>;
}
export interface Misfit {
    readonly at: string;
    readonly recorded: string;
    readonly now: string;
    readonly line?: string;
}

// -- shared/domain/brand
declare const brand: unique symbol;
export type Brand<T, Name extends string> = T & {
    readonly [brand]: Name;
};
export type Millis = number;

// -- shared/domain/budget
export interface Spent {
    readonly rounds: number;
    readonly tokens: number;
    readonly cost: number;
    readonly delegations: number;
    readonly bytes: number;
}
export interface Spending extends Partial<Spent> {
    readonly use?: TurnUse;
}
export type Limits = {
    readonly [K in keyof Spent]?: number;
};
export type Exceeded = Uppercase<keyof Spent>;

// -- shared/domain/caller
export interface Caller {
    readonly owner: string;
    readonly tenant: string;
    readonly authenticated: boolean;
    readonly claims?: JsonObject;
}
export interface RequestDetails {
    readonly metadata?: JsonObject;
    readonly acceptedOutputModes?: readonly string[];
    readonly historyLength?: number;
    readonly returnImmediately?: boolean;
    readonly extensions?: readonly string[];
    readonly version?: string;
}

// -- shared/domain/ceiling
export declare const CEILINGS: readonly ['none', 'metadata', 'redacted', 'full'];
export type Ceiling = (typeof CEILINGS)[number];
export declare const ARCHIVE_MODES: readonly ['off', 'sealed', 'standard'];
export type ArchiveMode = (typeof ARCHIVE_MODES)[number];
export interface Tightening {
    readonly answer?: Ceiling;
    readonly audit?: Ceiling;
    readonly archive?: ArchiveMode;
}

// -- shared/domain/files
export declare const FILES_FORMS: readonly ['archive', 'git', 'both'];
export type FilesForm = (typeof FILES_FORMS)[number];

// -- shared/domain/ids
export type AgentName = Brand<string, 'AgentName'>;

// -- shared/domain/isolation
export declare const ISOLATIONS: readonly ['none', 'process'];
export type Isolation = (typeof ISOLATIONS)[number];

// -- shared/domain/json
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export type JsonObject = {
    readonly [key: string]: Json;
};

// -- shared/domain/jws
export type PublicJwk = Readonly<Record<string, string>>;

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
export type MessageFrame = Partial<Omit<Message, 'role' | 'parts' | 'at'>>;
export interface ArtifactOf<P> {
    readonly artifactId: string;
    readonly draft?: true;
    readonly name?: string;
    readonly description?: string;
    readonly parts: readonly P[];
    readonly metadata?: JsonObject;
    readonly extensions?: readonly string[];
}
export type Artifact = ArtifactOf<Part>;
export declare function textOf(content: {
    readonly parts: readonly Part[];
}): string;

// -- shared/domain/model-use
export interface TokenCounts {
    readonly turns: number;
    readonly input: number;
    readonly output: number;
    readonly cached: number;
    readonly reasoning: number;
}
export interface TurnUse extends TokenCounts {
    readonly model: string;
}

// -- shared/domain/prices
export interface Prices {
    readonly input: number;
    readonly output: number;
    readonly cachedInput?: number;
}
export type PriceTable = Readonly<Record<string, Prices>>;

// -- shared/domain/remote
export type RemoteCredential = {
    readonly origin?: string;
} & ({
    readonly scheme: string;
    readonly secret: string;
}
 | {
    readonly header: string;
    readonly secret: string;
}
 | {
    readonly google: true;
    readonly audience?: string;
});
export interface Remote {
    readonly name: string;
    readonly description: string;
    readonly card: string;
    readonly signedBy?: readonly PublicJwk[];
    readonly credential?: RemoteCredential;
    readonly pollInterval: Millis;
    readonly pollMin?: Millis;
    readonly pollMax?: Millis;
    readonly deadline: Millis;
    readonly messageBytes: number;
    readonly answerBytes: number;
    readonly approval: boolean;
    readonly push: boolean;
}

// -- shared/domain/run
export interface Continuation {
    readonly kind: 'message' | 'decision' | 'dependency';
    readonly generation: number;
    readonly askedAt?: Millis;
    readonly auth?: true;
}

// -- shared/domain/schedule
export declare const MISSED_RULES: readonly ['skip', 'one', 'all'];
export type MissedRule = (typeof MISSED_RULES)[number];
export declare const OVERLAP_RULES: readonly ['allow', 'skip'];
export type OverlapRule = (typeof OVERLAP_RULES)[number];
export interface Schedule {
    readonly cron: string;
    readonly timezone: string;
    readonly missed: MissedRule;
    readonly overlap: OverlapRule;
    readonly owner: string;
    readonly parts: readonly Part[];
    readonly next: (after: Millis) => Millis | undefined;
}
export interface ScheduledAt {
    readonly at: Date;
    readonly timezone: string;
}

// -- shared/domain/signal
export interface SignalFacts {
    readonly number: number;
    readonly name: string;
    readonly at: Millis;
    readonly by: DeciderKind;
}
export interface Signal extends SignalFacts {
    readonly data: Json;
}
export interface DeclaredSignal {
    readonly name: string;
    readonly owner: boolean;
    readonly schema: Json;
    objection(data: Json): {
        readonly path: string;
        readonly message: string;
    } | undefined;
}
export interface Awaited {
    readonly names: readonly string[];
    readonly seen: number;
}

// -- shared/domain/step-facts
export interface CallFact {
    readonly callId: string;
    readonly name?: string;
    readonly effect?: string;
}
export interface StepTold {
    readonly startedAt?: Millis;
    readonly attempt?: number;
    readonly cost?: number;
    readonly calls?: readonly Omit<CallFact, 'callId'>[];
    readonly fault?: string;
}
export interface StepFacts extends Omit<StepTold, 'calls'> {
    readonly calls?: readonly CallFact[];
    readonly callId?: string;
    readonly status?: string;
    readonly model?: string;
    readonly usage?: TurnUsage;
    readonly by?: string;
    readonly generation?: number;
    readonly reason?: string;
}

// -- shared/domain/step
export interface ToolCall {
    readonly id: string;
    readonly tool: string;
    readonly arguments: JsonObject;
    readonly offer?: string;
    readonly key?: string;
    readonly problem?: string;
    readonly operation?: {
        readonly kind: string;
        readonly shown: number;
    };
}
export type Step = {
    readonly kind: 'turn';
    readonly text?: string;
    readonly calls: readonly ToolCall[];
    readonly digest: string;
    readonly artifacts: readonly string[];
    readonly by?: string;
    readonly state?: Json;
    readonly usage?: TurnUsage;
    readonly finish?: string;
    readonly problem?: string;
} | {
    readonly kind: 'result';
    readonly callId: string;
    readonly status: 'ok' | 'error';
    readonly value: Json;
    readonly parts?: readonly Part[];
} | {
    readonly kind: 'decision';
    readonly generation: number;
    readonly decision: DecisionKind;
    readonly by: DeciderKind;
    readonly input?: Json;
    readonly note?: string;
}
 | {
    readonly kind: 'answer';
    readonly generation: number;
    readonly message: Message;
    readonly opening?: Opening;
} | Summary;
export interface Summary {
    readonly kind: 'summary';
    readonly reason: 'memory' | 'window' | 'refused';
    readonly through: number;
    readonly until: number;
    readonly most: number;
    readonly shortened: boolean;
    readonly sources: readonly string[];
    readonly text?: string;
    readonly problem?: string;
    readonly by?: string;
    readonly usage?: TurnUsage;
}
export interface Opening {
    readonly instructions?: string;
    readonly memory?: Remembered;
}
export interface Remembered {
    readonly shown: readonly {
        readonly taskId: string;
        readonly most: number;
    }[];
    readonly older?: readonly string[];
    readonly more: boolean;
}
export interface TurnUsage {
    readonly input: number;
    readonly output: number;
    readonly cached?: number;
    readonly reasoning?: number;
}
export type Result = Extract<Step, {
    kind: 'result';
}>;
export type DecisionKind = 'approve' | 'deny' | 'input';
export type DeciderKind = 'owner' | 'operator';

// -- shared/domain/task
export interface StatusOf<P> {
    readonly state: string;
    readonly at: Millis;
    readonly message?: MessageOf<P>;
}
export interface Task {
    readonly taskId: string;
    readonly contextId: string;
    readonly status: StatusOf<Part>;
    readonly history: readonly MessageOf<Part>[];
    readonly artifacts: readonly ArtifactOf<Part>[];
    readonly begun?: ReadonlyMap<string, Millis>;
    readonly metadata?: JsonObject;
}

// -- shared/domain/tool-server
export interface ToolServer {
    readonly name: string;
    readonly at: ServerUrl | ServerCommand;
    readonly timeout: Millis;
    readonly answerBytes: number;
}
export interface ServerUrl {
    readonly kind: 'url';
    readonly url: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly credential?: Remote['credential'];
}
export interface ServerCommand {
    readonly kind: 'command';
    readonly command: readonly string[];
    readonly folder?: string;
    readonly env: Readonly<Record<string, string | {
        readonly secret: string;
    }>>;
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

// -- shared/ports/log
export declare class Thrown {
    readonly error: unknown;
    constructor(error: unknown);
    toJSON(): undefined;
}
export type LogFields = Readonly<Record<string, string | number | boolean | null | undefined | Thrown>>;

// -- shared/ports/tool-servers
export interface ListedTool {
    readonly name: string;
    readonly title?: string;
    readonly description?: string;
    readonly schema: JsonObject;
    readonly readOnly?: boolean;
    readonly destructive?: boolean;
    readonly idempotent?: boolean;
}
export type ToolListing = {
    readonly kind: 'tools';
    readonly tools: readonly ListedTool[];
}
 | {
    readonly kind: 'away';
    readonly reason: string;
};
export type ToolContent = {
    readonly kind: 'text';
    readonly text: string;
} | {
    readonly kind: 'bytes';
    readonly mediaType: string;
    readonly raw: Uint8Array;
    readonly uri?: string;
} | {
    readonly kind: 'link';
    readonly uri: string;
    readonly name?: string;
    readonly mediaType?: string;
    readonly description?: string;
}
 | {
    readonly kind: 'resource';
    readonly uri: string;
    readonly text: string;
};
export type ToolCallOutcome = {
    readonly kind: 'answered';
    readonly failed: boolean;
    readonly content: readonly ToolContent[];
    readonly structured?: JsonObject;
}
 | {
    readonly kind: 'refused';
    readonly reason: string;
}
 | {
    readonly kind: 'not_sent';
    readonly reason: string;
}
 | {
    readonly kind: 'unusable';
    readonly reason: string;
}
 | {
    readonly kind: 'outcome_unknown';
    readonly reason: string;
};
export interface ToolServers {
    list(server: ToolServer, signal?: AbortSignal): Promise<ToolListing>;
    call(server: ToolServer, tool: ListedTool, given: JsonObject, signal?: AbortSignal): Promise<ToolCallOutcome>;
    close(): Promise<void>;
}

// -- shared/ports/tracer
export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;
export type SpanKind = 'internal' | 'server' | 'consumer' | 'client';

// -- shared/ports/workspaces
export interface WorkspaceLimits {
    readonly count: number;
    readonly bytes: number;
    readonly fileBytes: number;
    readonly depth: number;
}


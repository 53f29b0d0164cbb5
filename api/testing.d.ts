export { Caller, CheckedTask, Crash, CrashReport, Effect, ForkOptions, Gate, HeldCall, LogLine, NotRecorded, Operator, ReachedCall, RecordedModelOptions, Refusal, RemoteScript, Repeated, RepeatedCall, RetryOptions, Scripted, ScriptedModel, ScriptedRemote, ScriptedToolServer, SeenSchedule, SeenTask, SendFault, SendOptions, Subscription, Thrown, Waiting, World, WorldOptions, call, createWorld, everyCrash, recordedModel };

// uses @ai-sdk/provider: LanguageModelV3

// uses @ai-sdk/provider: LanguageModelV4

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
export interface DefinedAgent extends Agent {
    readonly card: CardFields;
    readonly spends: boolean;
    readonly withModel?: (model: Model) => DefinedAgent;
    readonly isolation?: Isolation;
}

// -- shared/agent/parts
export type Words = string | readonly Part[];

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

// -- shared/app/service
export interface TaskFilter {
    readonly contextId?: string;
    readonly state?: TaskState;
    readonly statusAfter?: number;
    readonly pageSize?: number;
    readonly pageToken?: string;
    readonly historyLength?: number;
    readonly includeArtifacts: boolean;
}
export type Frame = {
    readonly kind: 'task';
    readonly seq: number;
    readonly task: Task;
} | {
    readonly kind: 'event';
    readonly seq: number;
    readonly event: EventOf<Part>;
};

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

// -- shared/domain/item
export type ItemOf<P> = 
{
    readonly kind: 'message';
    readonly message: MessageOf<P>;
}
 | {
    readonly kind: 'artifact';
    readonly artifact: ArtifactOf<P>;
    readonly append: boolean;
    readonly lastChunk: boolean;
    readonly at?: Millis;
}
 | {
    readonly kind: 'status';
    readonly state: string;
    readonly at: Millis;
    readonly message?: MessageOf<P>;
    readonly metadata?: JsonObject;
};
export type StatusItem<P> = Extract<ItemOf<P>, {
    kind: 'status';
}>;
export type ArtifactItem<P> = Extract<ItemOf<P>, {
    kind: 'artifact';
}>;
export type EventOf<P> = (StatusItem<P> | ArtifactItem<P>) & {
    readonly seq: number;
};

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

// -- shared/domain/settings
export interface Setting {
    readonly value: number;
    readonly unit: 'ms' | 'bytes' | 'count';
    readonly meaning: string;
}
export declare const SETTINGS: {
    readonly lease: Setting;
    readonly leaseRenewal: Setting;
    readonly segment: Setting;
    readonly runDeadline: Setting;
    readonly requeues: Setting;
    readonly backoff: Setting;
    readonly backoffMax: Setting;
    readonly progressInterval: Setting;
    readonly progressDelay: Setting;
    readonly progressBytes: Setting;
    readonly archiveInterval: Setting;
    readonly blockingCap: Setting;
    readonly heartbeat: Setting;
    readonly streamLife: Setting;
    readonly streamBytes: Setting;
    readonly liveInterval: Setting;
    readonly itemBytes: Setting;
    readonly taskArtifacts: Setting;
    readonly taskArtifactBytes: Setting;
    readonly answerBytes: Setting;
    readonly inlineContent: Setting;
    readonly workingSnapshot: Setting;
    readonly pageSize: Setting;
    readonly pageSizeMax: Setting;
    readonly pageBytes: Setting;
    readonly totalSizeMax: Setting;
    readonly requestBody: Setting;
    readonly requestBodies: Setting;
    readonly requestWork: Setting;
    readonly messageParts: Setting;
    readonly metadataBytes: Setting;
    readonly taskMessages: Setting;
    readonly ownerRequests: Setting;
    readonly ownerTasks: Setting;
    readonly ownerStreams: Setting;
    readonly memory: Setting;
    readonly requestValues: Setting;
    readonly receiptLife: Setting;
    readonly retention: Setting;
    readonly waitingRetention: Setting;
    readonly trailRetention: Setting;
    readonly costRetention: Setting;
    readonly auditRetention: Setting;
    readonly sweepInterval: Setting;
    readonly sweepGrace: Setting;
    readonly repeatAfter: Setting;
    readonly pollInterval: Setting;
    readonly pollMin: Setting;
    readonly pollMax: Setting;
    readonly dependencyDeadline: Setting;
    readonly dependencyDeadlineMax: Setting;
    readonly remoteCall: Setting;
    readonly circuitFaults: Setting;
    readonly circuitRest: Setting;
    readonly circuitRestMax: Setting;
    readonly remoteMessage: Setting;
    readonly outgoingRequest: Setting;
    readonly webhooks: Setting;
    readonly pushTimeout: Setting;
    readonly pushHost: Setting;
    readonly pushSlow: Setting;
    readonly pushAttempts: Setting;
    readonly pushBackoff: Setting;
    readonly pushBackoffMax: Setting;
    readonly rounds: Setting;
    readonly delegations: Setting;
    readonly delegatedBytes: Setting;
    readonly transactionDeadline: Setting;
    readonly filesCount: Setting;
    readonly filesBytes: Setting;
    readonly filesFileBytes: Setting;
    readonly filesDepth: Setting;
    readonly filesKept: Setting;
    readonly filesGrace: Setting;
    readonly filesOrphans: Setting;
    readonly filesPurge: Setting;
    readonly revocationDelay: Setting;
    readonly revokedRetention: Setting;
    readonly agentSilence: Setting;
    readonly agentMemory: Setting;
    readonly approvalAge: Setting;
    readonly shards: Setting;
    readonly listShards: Setting;
};
export type Settings = {
    readonly [name in keyof typeof SETTINGS]: number;
};

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

// -- shared/domain/status
export type TaskState = 'SUBMITTED' | 'WORKING' | 'INPUT_REQUIRED' | 'AUTH_REQUIRED' | 'COMPLETED' | 'FAILED' | 'CANCELED' | 'REJECTED';

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

// -- testing/caller
export interface SendOptions {
    readonly agent?: string;
    readonly taskId?: string;
    readonly contextId?: string;
    readonly messageId?: string;
    readonly metadata?: JsonObject;
}
export declare class Caller {
    #private;
    send(words: Words, options?: SendOptions): Promise<SeenTask>;
    ask(words: Words, options?: SendOptions): Promise<Message>;
    answer(taskId: string, words: Words | {
        readonly data: Json;
    }): Promise<SeenTask>;
    event(taskId: string, name: string, data?: Json): Promise<SeenTask>;
    approve(taskId: string): Promise<SeenTask>;
    deny(taskId: string): Promise<SeenTask>;
    get(taskId: string): Promise<SeenTask>;
    list(filter?: Pick<TaskFilter, 'contextId' | 'state' | 'pageSize'> & {
        readonly agent?: string;
    }): Promise<readonly SeenTask[]>;
    cancel(taskId: string): Promise<SeenTask>;
    stream(taskId: string, after?: number): Promise<Subscription>;
}

// -- testing/check-upgrade
export interface CheckedTask {
    readonly taskId: string;
    readonly agent: string;
    readonly verdict: 'goes on' | 'held' | 'fails' | 'differs' | 'not checked';
    readonly why: string;
    readonly line?: string;
}

// -- testing/effects
export interface Effect {
    readonly kind: 'tool' | 'step' | 'message';
    readonly name: string;
    readonly effect: 'read' | 'idempotent' | 'once';
    readonly agent: string;
    readonly taskId: string;
    readonly callId: string;
    readonly attempt: number;
}
export interface Repeated extends Omit<Effect, 'attempt'> {
    readonly times: number;
}
export interface Thrown extends Pick<Problem, 'where' | 'error'> {
    readonly agent: string;
    readonly taskId: string;
}

// -- testing/every-crash
export interface Crash {
    readonly commit: number;
    readonly when: 'before' | 'after';
}
export interface RepeatedCall extends Pick<Repeated, 'kind' | 'name' | 'effect'> {
    readonly times: number;
    readonly crashes: readonly Crash[];
}
export interface CrashReport {
    readonly commits: number;
    readonly crashes: number;
    readonly repeated: readonly RepeatedCall[];
}
export declare function everyCrash(make: () => WorldOptions, scenario: (world: World) => Promise<void>): Promise<CrashReport>;

// -- testing/gate
export declare class Gate {
    #private;
    pass(): Promise<void>;
    get waiting(): number;
    open(): Promise<void>;
}

// -- testing/operator
export interface HeldCall {
    readonly tool: string;
    readonly summary: string;
    readonly arguments?: Json;
}
export interface Waiting {
    readonly kind: 'approval' | 'input' | 'send' | 'blocked';
    readonly taskId: string;
    readonly agent: string;
    readonly calls: readonly HeldCall[];
    readonly schema?: Json;
    readonly remote?: string;
}
export interface RetryOptions {
    readonly again?: readonly string[];
}
export interface ForkOptions extends RetryOptions {
    readonly from?: number;
    readonly words?: Words;
}
export declare class Operator {
    #private;
    inbox(): Promise<readonly Waiting[]>;
    approve(taskId: string): Promise<void>;
    deny(taskId: string): Promise<void>;
    input(taskId: string, input: Json): Promise<void>;
    event(taskId: string, name: string, data?: Json, id?: string): Promise<void>;
    link(taskId: string, remoteTaskId: string): Promise<void>;
    abandon(taskId: string): Promise<void>;
    resend(taskId: string): Promise<void>;
    cancel(taskId: string): Promise<void>;
    continue(taskId: string): Promise<void>;
    retry(taskId: string, { again }?: RetryOptions): Promise<string>;
    fork(taskId: string, { again, from, words }?: ForkOptions): Promise<string>;
    schedules(): Promise<readonly SeenSchedule[]>;
    pauseSchedule(agent: string): Promise<void>;
    resumeSchedule(agent: string): Promise<void>;
    runSchedule(agent: string): Promise<string>;
}

// -- testing/peer
export type Method = 'send' | 'look' | 'find' | 'cancel';
export type Fault = 
{
    readonly kind: 'drop';
    readonly when: 'before' | 'after';
}
 | {
    readonly kind: 'hold';
    readonly when: 'before' | 'after';
    readonly until: Promise<unknown>;
}
 | {
    readonly kind: 'twice';
}
 | {
    readonly kind: 'malformed';
}
 | {
    readonly kind: 'other context';
}
 | {
    readonly kind: 'error';
    readonly code: number;
    readonly retryAfterSeconds?: number;
}
 | {
    readonly kind: 'reply';
    readonly text: string;
};
export interface PeerTask {
    readonly taskId: string;
    readonly contextId: string;
    readonly messageId: string;
    readonly parts: readonly Part[];
    readonly push?: {
        readonly url: string;
        readonly token: string;
    };
    state: TaskState | 'PAUSED';
    message?: Message;
    artifacts: readonly Artifact[];
}
export interface PeerOptions {
    readonly dedupe?: boolean;
    readonly canList?: boolean;
    readonly begins?: TaskState;
    readonly name?: string;
}
export declare class Peer {
    #private;
    readonly tasks: Map<string, PeerTask>;
    readonly sends: Map<string, number>;
    readonly cancels: Map<string, number>;
    readonly looks: Map<string, number>;
    reachable: boolean;
    readonly canList: boolean;
    constructor({ dedupe, canList, begins, name }?: PeerOptions);
    script(method: Method, ...faults: readonly Fault[]): void;
    fault(method: Method): Fault | undefined;
    accept(message: Pick<PeerTask, 'messageId' | 'contextId' | 'parts' | 'push'>, fault?: Fault): PeerTask;
    look(taskId: string): PeerTask | undefined;
    list(contextId: string): readonly PeerTask[];
    cancel(taskId: string, fault?: Fault): PeerTask | -32001 | -32002;
    settle(taskId: string, state: PeerTask['state'], text?: string): void;
}

// -- testing/recorded-model
export interface RecordedModelOptions {
    readonly file: string | URL;
    readonly record?: boolean;
    readonly model?: Model | LanguageModel;
    readonly secrets?: readonly (string | RegExp)[];
}
export declare function recordedModel(options: RecordedModelOptions): Model;

// -- testing/recording
export declare class NotRecorded extends Error {
    constructor(message: string);
}

// -- testing/refusal
export declare class Refusal extends Error {
    readonly code: string;
    readonly field?: string;
}

// -- testing/scripted-model
export type Scripted = ModelTurn | ((request: ModelRequest, signal: AbortSignal, call: TurnContext) => unknown) | null | string | number;
export declare class ScriptedModel implements Model {
    #private;
    readonly name = "scripted";
    calls: number;
    readonly requests: ModelRequest[];
    constructor(...script: readonly Scripted[]);
    turn(request: ModelRequest, signal: AbortSignal, call: TurnContext): Promise<ModelTurn>;
    get seen(): ModelRequest['transcript'];
}
export declare function call(name: string, given?: unknown): {
    name: string;
    arguments: unknown;
};

// -- testing/scripted-remote
export interface RemoteScript {
    readonly answer?: Words | ((parts: readonly Part[]) => Words);
    readonly ends?: 'COMPLETED' | 'FAILED' | 'REJECTED' | 'INPUT_REQUIRED' | 'AUTH_REQUIRED' | 'never';
    readonly after?: string | number;
    readonly lists?: boolean;
    readonly dedupes?: boolean;
}
export declare class ScriptedRemote extends Peer {
    #private;
    constructor(script?: RemoteScript);
    next(...faults: readonly SendFault[]): void;
    forget(): void;
    accept(...given: Parameters<Peer['accept']>): PeerTask;
    look(taskId: string): PeerTask | undefined;
}
declare const FAULTS: {
    readonly 'no answer': {
        readonly kind: 'drop';
        readonly when: 'after';
    };
    readonly 'not reached': {
        readonly kind: 'drop';
        readonly when: 'before';
    };
    readonly busy: {
        readonly kind: 'error';
        readonly code: 429;
        readonly retryAfterSeconds: 5;
    };
    readonly refused: {
        readonly kind: 'error';
        readonly code: -32602;
    };
    readonly reply: {
        readonly kind: 'reply';
        readonly text: 'so be it';
    };
    readonly garbled: {
        readonly kind: 'malformed';
    };
};
export type SendFault = keyof typeof FAULTS;

// -- testing/scripted-tool-server
export interface ReachedCall {
    readonly tool: string;
    readonly given: JsonObject;
}
type Said = string | ToolCallOutcome;
type Answer = Said | ((given: JsonObject) => Said | Promise<Said>);
export declare class ScriptedToolServer implements ToolServers {
    #private;
    readonly calls: ReachedCall[];
    readonly tools: Map<string, {
        readonly listed: ListedTool;
        readonly answer: Answer;
    }>;
    away: string | undefined;
    asked: number;
    onList: (number: number) => void;
    offer(listed: Partial<ListedTool> & {
        readonly name: string;
    }, answer?: Answer): this;
    list(): ReturnType<ToolServers['list']>;
    call(_server: unknown, { name }: ListedTool, given: JsonObject, signal?: AbortSignal): Promise<ToolCallOutcome>;
    close(): Promise<void>;
}

// -- testing/seen-schedule
export interface SeenSchedule {
    readonly agent: string;
    readonly next?: Date;
    readonly paused: boolean;
    readonly lastTick?: Date;
    readonly lastTask?: string;
    readonly missed: number;
    readonly skipped: number;
    readonly refused?: string;
}

// -- testing/seen-task
export interface SeenTask extends Task {
    readonly state: string;
    readonly text: string;
    readonly reason: string;
}

// -- testing/subscription
export declare class Subscription {
    #private;
    readonly frames: Frame[];
    ended: boolean;
    get states(): readonly string[];
    close(): void;
}

// -- testing/world
export interface WorldOptions {
    readonly agents: readonly DefinedAgent[];
    readonly models?: Readonly<Record<string, Model>>;
    readonly remotes?: Readonly<Record<string, ScriptedRemote>>;
    readonly mcp?: Readonly<Record<string, ScriptedToolServer>>;
    readonly clock?: Date | number;
    readonly seed?: number;
    readonly settings?: Partial<Settings>;
}
export interface LogLine {
    readonly level: string;
    readonly event: string;
    readonly fields: Readonly<Record<string, unknown>>;
}
export declare class World extends Caller {
    #private;
    readonly operator: Operator;
    readonly effects: readonly Effect[];
    readonly log: readonly LogLine[];
    readonly thrown: readonly Thrown[];
    get repeated(): readonly Repeated[];
    as(name: string): Caller;
    now(): Date;
    advance(span: string | number): Promise<void>;
    settled(taskId: string): Promise<SeenTask>;
    get commits(): number;
    crashAt(commit: number, when?: 'before' | 'after'): void;
    outage(span: string | number): Promise<void>;
    problems(): Promise<readonly string[]>;
    checkUpgrade(agents: readonly DefinedAgent[]): Promise<readonly CheckedTask[]>;
    close(): Promise<void>;
    gate(): Gate;
}
export declare function createWorld(options: WorldOptions): World;


import type { Ending, Problem, SegmentPorts } from '../app/agents.ts';
import type { Transcript } from '../app/transcript.ts';
import type { Message, Part } from '../domain/message.ts';
import type { JsonObject } from '../domain/json.ts';
import type { AgentName } from '../domain/ids.ts';
import type { ToolServer } from '../domain/tool-server.ts';
import type { ListedTool, ToolCallOutcome, ToolListing } from '../ports/tool-servers.ts';
import type { Attributes, SpanKind } from '../ports/tracer.ts';
import type { SentError } from './sent-errors.ts';

/** What a segment offers as data. */
export interface SegmentData
  extends Pick<
    SegmentPorts,
    | 'taskId'
    | 'contextId'
    | 'message'
    | 'caller'
    | 'request'
    | 'history'
    | 'artifacts'
    | 'attempt'
    | 'prices'
    | 'folder'
  > {
  readonly transcript: TranscriptState & Pick<Transcript, 'limits' | 'delegates' | 'timeLeft'>;
  /** Absent: nothing of it is traced. */
  readonly traceparent?: string;
  /** It is over already. */
  readonly aborted?: { readonly reason: unknown };
}

/** What of a transcript changes with what is asked of it. */
export type TranscriptState = Pick<Transcript, 'spent' | 'continuation'>;

type Asks<F extends (...args: never) => Promise<unknown>> = {
  readonly args: Parameters<F>;
  readonly value: Awaited<ReturnType<F>>;
};

/** What an agent asks of its segment, by name. */
export interface RunMethods {
  readonly earlierTasks: Asks<SegmentPorts['earlierTasks']>;
  readonly recall: Asks<SegmentPorts['recall']>;
  readonly taskById: Asks<SegmentPorts['taskById']>;
  readonly before: Asks<SegmentPorts['before']>;
  readonly status: Asks<SegmentPorts['status']>;
  readonly artifact: Asks<SegmentPorts['artifact']>;
  readonly tighten: Asks<SegmentPorts['tighten']>;
  readonly load: Asks<Transcript['load']>;
  readonly append: Asks<Transcript['append']>;
  readonly begin: Asks<Transcript['begin']>;
  readonly delegate: Asks<Transcript['delegate']>;
  readonly signals: Asks<Transcript['signals']>;
  readonly signal: Asks<Transcript['signal']>;
  readonly publicDigest: Asks<Transcript['publicDigest']>;
  readonly maySumUp: Asks<Transcript['maySumUp']>;
  /** Within the span of that number; 0 is the segment's. */
  readonly openSpan: {
    readonly args: [within: number, name: string, attributes?: Attributes, kind?: SpanKind];
    readonly value: { readonly span: number; readonly traceparent?: string };
  };
}

/** What it asks of the servers of tools, whichever run it is for. */
export interface ToolMethods {
  readonly listTools: {
    readonly args: [server: ToolServer];
    /** `number`: the same for the same listing. */
    readonly value: ToolListing & { readonly number?: number };
  };
  readonly callTool: {
    readonly args: [server: ToolServer, tool: ListedTool, given: JsonObject];
    readonly value: ToolCallOutcome;
  };
}

export interface Methods extends RunMethods, ToolMethods {}
export type Method = keyof Methods;

/** A method with its arguments. */
export interface Asked<M extends Method = Method> {
  readonly method: M;
  readonly args: Methods[M]['args'];
}

const OF_TOOLS: readonly string[] = ['listTools', 'callTool'] satisfies (keyof ToolMethods)[];

export function isOfTools(asked: Asked): asked is Asked<keyof ToolMethods> {
  return OF_TOOLS.includes(asked.method);
}

export function isOfRun(asked: Asked): asked is Asked<keyof RunMethods> {
  return !OF_TOOLS.includes(asked.method);
}

/** Answers each method with its own value. */
export type Answers<M extends Method> = {
  readonly [N in M]: (...args: Methods[N]['args']) => Promise<Methods[N]['value']>;
};

/** What an agent says without an answer. */
export type Told =
  | { readonly what: 'warn'; readonly args: Parameters<SegmentPorts['warn']> }
  | { readonly what: 'measure'; readonly args: Parameters<SegmentPorts['measure']> }
  | {
      readonly what: 'report';
      readonly problem: Omit<Problem, 'error'>;
      readonly error: SentError;
    }
  /** An error that nothing caught. */
  | { readonly what: 'stray'; readonly error: SentError }
  | { readonly what: 'setSpan'; readonly span: number; readonly attributes: Attributes }
  | { readonly what: 'endSpan'; readonly span: number; readonly error?: SentError };

/** To the process of an agent. Its runs are numbered by the process that sends them. */
export type ToProcess =
  | { readonly kind: 'run'; readonly run: number; readonly segment: SegmentData }
  | { readonly kind: 'reply'; readonly run: number; readonly message: Message }
  | { readonly kind: 'abort'; readonly run: number; readonly reason: unknown }
  | {
      readonly kind: 'answer';
      readonly run: number;
      readonly call: number;
      readonly answer: Answer;
      /** Of the transcript, where that was asked for something. */
      readonly state?: TranscriptState;
    };

export type Answer = { readonly value: unknown } | { readonly error: SentError };

/** From it. */
export type FromProcess =
  | {
      readonly kind: 'call';
      readonly run: number;
      readonly call: number;
      readonly asked: Asked;
    }

  /** The answer is not waited for any more. */
  | { readonly kind: 'cancel'; readonly run: number; readonly call: number }
  | { readonly kind: 'tell'; readonly run: number; readonly told: Told }
  | { readonly kind: 'ended'; readonly run: number; readonly ending: SentEnding }
  | { readonly kind: 'replied'; readonly run: number; readonly parts?: readonly Part[] }
  | { readonly kind: 'thrown'; readonly run: number; readonly error: SentError }
  /** It can't go on: its module can't be loaded, or an error belongs to no run. */
  | { readonly kind: 'broken'; readonly error: SentError };

/** An ending whose error is on its way, too. */
export type SentEnding =
  | Exclude<Ending, { readonly error: unknown }>
  | WithSentError<Extract<Ending, { readonly error: unknown }>>;

type WithSentError<E> = E extends { readonly error: unknown }
  ? Omit<E, 'error'> & { readonly error: SentError }
  : never;

/** The process of one agent, as the other end speaks to it. */
export interface Link {
  send(message: ToProcess): void;
  /** Resolves when the process is gone, with how that came. */
  readonly ended: Promise<Death>;
  /** Ends it at once. */
  end(): void;
}

/** Starts the process of an agent. `heard` gets what it says. */
export type OpenLink = (agent: AgentName, heard: (message: FromProcess) => void) => Link;

/** What was seen in a process just before it was ended. */
export interface Seen {
  /** The run whose code was at work. */
  readonly run?: number;
  /** Lines of its stack, as errors have them. */
  readonly stack: readonly string[];
}

/** How the process of an agent came to its end. */
export type Death =
  /** Its code did not hand the thread back for too long. */
  | { readonly kind: 'stalled'; readonly seen: Seen }
  /** It took more memory than it may have. */
  | { readonly kind: 'memory'; readonly seen: Seen }
  | { readonly kind: 'ended'; readonly how: string };

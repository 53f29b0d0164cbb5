import {
  type Change,
  changesOf,
  type Declared,
  declaredRemote,
  gone,
  type Misfit,
  type Pin,
} from '../domain/blocked.ts';
import type { Millis } from '../domain/brand.ts';
import type { Exceeded, Limits, Spending } from '../domain/budget.ts';
import type { ArchiveMode, Ceiling, Tightening } from '../domain/ceiling.ts';
import type { Caller, RequestDetails } from '../domain/caller.ts';
import type { FilesForm } from '../domain/files.ts';
import type { AgentName } from '../domain/ids.ts';
import type { Json, JsonObject } from '../domain/json.ts';
import type { Artifact, Message, MessageFrame, Part } from '../domain/message.ts';
import type { PriceTable } from '../domain/prices.ts';
import type { Remote } from '../domain/remote.ts';
import type { Run } from '../domain/run.ts';
import type { Schedule } from '../domain/schedule.ts';
import type { Settings } from '../domain/settings.ts';
import type { Awaited, DeclaredSignal } from '../domain/signal.ts';
import type { StepFacts } from '../domain/step-facts.ts';
import type { Task } from '../domain/task.ts';
import type { LogFields } from '../ports/log.ts';
import type { ToolServers } from '../ports/tool-servers.ts';
import type { WorkspaceLimits } from '../ports/workspaces.ts';
import type { TaskSpan } from './task-span.ts';
import type { Resting, Transcript } from './transcript.ts';
import type { Attributes } from '../ports/tracer.ts';

/** What an agent says at the end of a segment. */
interface Words {
  readonly parts: readonly Part[];
  /** What its message has beside its parts. */
  readonly frame?: MessageFrame;
}

/** How a segment ended, in the agent's words. */
export type Ending =
  /** `spend`: what the last turn used, when a model made it. */
  | (Words & {
      readonly kind: 'completed';
      readonly artifacts?: readonly Artifact[];
      readonly spend?: Spending;
      /** What is known of that turn. */
      readonly last?: StepFacts;
    })
  /**
   * The agent needs an answer; `schema` is the JSON Schema of the data it wants, if it wants data.
   * `auth`: it asks for an authentication, which callers see as AUTH_REQUIRED.
   */
  | (Words & { readonly kind: 'asked'; readonly schema?: Json; readonly auth?: true })
  | (Words & { readonly kind: 'rejected' })
  /** The agent called its own work off. */
  | (Words & { readonly kind: 'cancelled' })
  /**
   * The agent failed for good; `parts` is what the caller may know, `fault` a word for it that
   * programs read.
   */
  | (Words & { readonly kind: 'failed'; readonly error: unknown; readonly fault?: string })
  /** A fault that may pass; the run goes back into the queue. */
  | { readonly kind: 'retry'; readonly error: unknown; readonly delay?: number }
  /** The whole turn is held until a person has decided; `calls`: those of it without a result. */
  | {
      readonly kind: 'paused';
      readonly pause: PauseRequest;
      readonly calls?: readonly WaitingCall[];
    }
  /** The run waits for a remote agent; that is committed already. */
  | { readonly kind: 'suspended' }
  | { readonly kind: 'exceeded'; readonly limit: Exceeded }
  | Resting
  /**
   * Another segment goes on from the last step at that time (milliseconds since 1970), or when an
   * event comes that is awaited.
   */
  | { readonly kind: 'slept'; readonly until: Millis; readonly awaited?: Awaited }
  /** The function asks for other steps than those that are recorded: nothing is guessed. */
  | { readonly kind: 'misfit'; readonly misfit: Misfit }
  /** The segment's time is nearly over, and another one goes on from the last step. */
  | { readonly kind: 'yielded' }
  /** It was left in the middle for another run's fault: it begins again, and no attempt counts. */
  | { readonly kind: 'interrupted' };

/** What a replay came to: an ending, or calls that are recorded and would not be made. */
export type Replayed =
  | Ending
  | { readonly kind: 'refused'; readonly calls: readonly RefusedCall[] };

/** A call without a result that its model would get an error for. */
export interface RefusedCall extends WaitingCall {
  /** `server`: its tool is one of a server, which was not asked. */
  readonly why: 'gone' | 'unfit' | 'server';
}

/** What a turn is held for. */
export type PauseRequest =
  | {
      readonly kind: 'approval';
      readonly words: readonly Part[];
      readonly digest: string;
      /** `summary` is public: what the tool's author lets a caller know of its arguments (G4). */
      readonly calls: readonly HeldCall[];
    }
  | {
      readonly kind: 'input';
      readonly words: readonly Part[];
      /** JSON Schema of the data that is wanted, if data is wanted. */
      readonly schema?: Json;
      /** Absent if the question is not a model's. */
      readonly digest?: string;
      readonly callId?: string;
      /** It is asked as an authentication. */
      readonly auth?: true;
    };

/** A call without a result. */
export interface WaitingCall {
  readonly id: string;
  readonly tool: string;
}

export interface HeldCall extends WaitingCall {
  readonly summary: string;
}

/** What went wrong in an author's code, for its author. */
export interface Problem {
  /**
   * `turn`: what a model answered can't be used. `stray`: an error that nothing caught, in a
   * promise that nothing waits for, a timer or an event. `files`: its folder can't be kept.
   */
  readonly where: 'agent' | 'tool' | 'model' | 'turn' | 'stray' | 'files';
  /** The tool that it happened in. */
  readonly tool?: string;
  readonly model?: string;
  /** A word for it that programs read. Default: the error's class. */
  readonly fault?: string;
  readonly error: unknown;
}

/** An earlier task as it is remembered. */
export interface RecalledTask extends Task {
  /** It was longer: what is missing is its beginning. */
  readonly cut: boolean;
}

export interface Recalled {
  readonly tasks: readonly RecalledTask[];
  /** The context has older ones than these. */
  readonly more: boolean;
}

/** What a segment offers to the agent that runs in it. */
export interface SegmentPorts {
  readonly taskId: string;
  readonly contextId: string;
  readonly message: Message;
  /** Who sent it: the owner of the task. */
  readonly caller: Caller;
  /** What came beside it. */
  readonly request: RequestDetails;
  /** Everything before `message`, oldest first. */
  readonly history: readonly Message[];
  /**
   * How many artifacts the task had when this segment first began; the same for a repeated attempt.
   */
  readonly artifacts: number;
  /** 1 for the first try of a segment. */
  readonly attempt: number;
  /**
   * Aborted when the task was cancelled, the claim was lost or the deadline has passed; `reason`
   * says which.
   */
  readonly signal: AbortSignal;
  /** Tasks of the same caller in the same context, newest first, this one excluded. */
  earlierTasks(): Promise<readonly Task[]>;
  /**
   * Completed ones of them for a model to remember: the newest, newest first, 20 at most, or those
   * that are named. Of a long task the end; a part too large for a row is a text that names it.
   * What can't be read any more is left out.
   */
  recall(taskIds?: readonly string[]): Promise<Recalled>;
  /** One of them, or another task of the same caller; undefined if there is none by that id. */
  taskById(id: string): Promise<Task | undefined>;
  /**
   * This task as it stood when its message came; undefined if the message made it. It is the same
   * for a repeated attempt, and its history has the message as its last.
   */
  before(): Promise<Task | undefined>;
  /**
   * Shows progress. Resolves when it is taken down, which may be before it is committed. Rejects
   * once the segment is over. Without parts nothing is said, and only `metadata` is added to the
   * task's.
   */
  status(
    parts: readonly Part[],
    more?: { readonly frame?: MessageFrame; readonly metadata?: JsonObject },
  ): Promise<void>;
  artifact(artifact: Artifact, append: boolean, lastChunk: boolean): Promise<void>;
  /**
   * Says how much may be kept, before an answer is asked of a provider that is stricter than the
   * publication. If that keeps no result, the task is FAILED and this rejects. Ceilings are never
   * loosened.
   */
  tighten(wanted: Tightening): Promise<void>;
  /** What models cost whose own options do not say it. */
  readonly prices: PriceTable;
  /** Milliseconds since 1970. */
  now(): Millis;
  /** Calls back once after that span; the answer cancels it. */
  after(wait: Millis, callback: () => void): () => void;
  /** Writes a warning about the agent to the log: names and counts, no content. */
  warn(event: string, fields?: LogFields): void;
  readonly transcript: Transcript;
  /** Servers of tools, for an agent that declares some. */
  readonly toolServers: ToolServers;
  /** Absolute path of the folder with the task's files. Absent if its agent has none. */
  readonly folder?: string;
  /** The span of this segment, for the agent's own within it. */
  readonly span: TaskSpan;
  /** A number about the agent's work, where numbers are kept. */
  readonly measure: (
    name: 'gen_ai.client.operation.duration' | 'gen_ai.client.token.usage',
    value: number,
    attributes: Attributes,
  ) => void;
  /** Says to the author what the run itself does not: callers and models get no words of errors. */
  report(problem: Problem): void;
  /**
   * Takes an error that nothing caught, for an agent whose code runs where this process does not
   * see it: the attempt ends.
   */
  readonly stray: (error: unknown) => void;
}

/**
 * What may be kept of an agent's answers, and of what computes them; and how and how soon a task is
 * archived.
 */
export interface PublicationProfile {
  /** For this publication. Default: `full`. */
  readonly task?: Ceiling;
  /** For what computes the answer: a model, a service. Default: `full`. */
  readonly provider?: Ceiling;
  /** Default: `standard`. */
  readonly archive?: ArchiveMode;
  /**
   * An open task is in the archive after this long, and its changes after as long again;
   * milliseconds, 1 second to 24 hours. Default: the setting `archiveInterval`, 30 seconds.
   */
  readonly archiveInterval?: Millis;
  /**
   * What was said in the steps of a task is kept this long after its end, where the ceilings let it
   * be kept; milliseconds, at most 400 days; 0: not at all. Default: the setting `trailRetention`,
   * 7 days.
   */
  readonly trail?: Millis;
  /** Who may decide what its runs wait for, besides operators with the right to. */
  readonly decisions?: {
    /**
     * The task's owner may approve and deny. Default: false. An owner may always answer what its
     * task asks.
     */
    readonly owner?: boolean;
    /** The approver must not be the task's owner; for edges that name callers. Default: false. */
    readonly fourEyes?: boolean;
  };
}

/** The files of an agent's tasks. */
export interface FilesProfile {
  /** What readers without our code find: an archive of each task, a git repository, or both. */
  readonly form: FilesForm;
  /** Less than the installation allows; more has no effect. */
  readonly limits?: Partial<WorkspaceLimits>;
}

/** An agent as the application sees it, whatever kind it is. */
export interface Agent {
  readonly name: AgentName;
  /** Several tasks of one context may be active at once (G19 is off for this agent). */
  readonly parallel: boolean;
  readonly publication?: PublicationProfile;
  /** Its tasks have a folder, which is kept from one task of a context to the next. */
  readonly files?: FilesProfile;
  /** Remote agents that it may delegate to. */
  readonly remotes?: readonly Remote[];
  /** Its tools: what the calls of a run that waits are checked against when it goes on. */
  readonly tools?: readonly Declared[];
  /** Its function works in steps (docs/steps.md). */
  readonly steps?: true;
  /** Events that its function may wait for (docs/steps.md#events). */
  readonly events?: readonly DeclaredSignal[];
  /** When it begins a task of its own accord (docs/schedules.md). */
  readonly schedule?: Schedule;
  /** What one run may use; the installation's settings where it says nothing. */
  readonly limits?: Limits;
  run(segment: SegmentPorts): Promise<Ending>;
  /**
   * Comes by what is recorded of a run as `run` would, and ends where something would begin that is
   * not recorded: nothing is done. Absent: nothing of its runs is recorded.
   */
  replay?(segment: SegmentPorts): Promise<Replayed>;
  /** Answers a message that needs no task; undefined: make a task of it. */
  reply?(message: Message): Promise<readonly Part[] | undefined>;
}

export interface Agents {
  get(name: AgentName): Agent | undefined;
  /**
   * Every one that is published. Absent where that is not known: then no schedule begins or ends.
   */
  readonly all?: readonly Agent[];
}

/** What a folder of this agent may hold: the agent's own limits, within the installation's. */
export function filesLimitsOf(settings: Settings, { limits = {} }: FilesProfile): WorkspaceLimits {
  const { filesBytes, filesCount, filesDepth, filesFileBytes } = settings;
  return {
    count: Math.min(filesCount, limits.count ?? filesCount),
    bytes: Math.min(filesBytes, limits.bytes ?? filesBytes),
    fileBytes: Math.min(filesFileBytes, limits.fileBytes ?? filesFileBytes),
    depth: Math.min(filesDepth, limits.depth ?? filesDepth),
  };
}

/** What a model of this agent may call, as it is declared now. */
export function declaredBy({ remotes = [], tools = [] }: Agent): readonly Declared[] {
  return [...tools, ...remotes.map(declaredRemote)];
}

/** What these calls depend on; those of names that nothing has are left out. */
export function pinsOf(agent: Agent, calls: readonly WaitingCall[]): readonly Pin[] {
  const declared = declaredBy(agent);
  return calls.flatMap(({ id: callId, tool }) => {
    const found = declared.find(({ name }) => name === tool);
    return found === undefined ? [] : [{ callId, ...found }];
  });
}

/** What the run waited for, and is gone or changed by now. */
export function changesFor(agents: Agents, run: Run): readonly Change[] {
  const agent = agents.get(run.agent);
  if (agent === undefined) return [gone('agent', run.agent)];
  if (run.pins !== undefined) return changesOf(run.pins, declaredBy(agent));
  // A version that noted nothing may have written it.
  const remote = run.status === 'waiting_for_dependency' ? run.dependency.remote : undefined;
  const known = remote === undefined || knownRemote(agents, run, remote) !== undefined;
  return known ? [] : [gone('remote', remote)];
}

/** Undefined: the agent, or its remote, is no longer published, so it can't be asked. */
export function knownRemote(agents: Agents, run: Run, name: string): Remote | undefined {
  return agents.get(run.agent)?.remotes?.find((remote) => remote.name === name);
}

/**
 * What a run of this agent may use: the agent's own limits, and the installation's where it has
 * none (G16).
 */
export function limitsOf(settings: Settings, agent: Agent): Limits {
  const { delegatedBytes: bytes, delegations, rounds } = settings;
  return { rounds, delegations, bytes, ...agent.limits };
}

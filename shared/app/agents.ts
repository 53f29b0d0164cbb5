import type { Ceiling, Tightening } from '../domain/ceiling.ts';
import type { AgentName } from '../domain/ids.ts';
import type { Json } from '../domain/json.ts';
import type { Artifact, Message, Part } from '../domain/message.ts';
import type { ArchiveMode } from '../domain/run.ts';
import type { Task } from '../domain/task.ts';

/** How a segment ended, in the agent's words. */
export type Ending =
  | { readonly kind: 'completed'; readonly parts: readonly Part[] }
  /** The agent needs an answer; `schema` is the JSON Schema of the data it wants, if it wants data. */
  | { readonly kind: 'asked'; readonly parts: readonly Part[]; readonly schema?: Json }
  | { readonly kind: 'rejected'; readonly parts: readonly Part[] }
  /** The agent failed for good; `parts` is what the caller may know. */
  | { readonly kind: 'failed'; readonly parts: readonly Part[]; readonly error: unknown }
  /** A fault that may pass; the run goes back into the queue. */
  | { readonly kind: 'retry'; readonly error: unknown; readonly delay?: number };

/** What a segment offers to the agent that runs in it. */
export interface SegmentPorts {
  readonly taskId: string;
  readonly contextId: string;
  readonly message: Message;
  /** Everything before `message`, oldest first. */
  readonly history: readonly Message[];
  /** How many artifacts the task had when this segment first began; the same for a repeated attempt. */
  readonly artifacts: number;
  /** 1 for the first try of a segment. */
  readonly attempt: number;
  /** Aborted when the task was cancelled, the claim was lost or the deadline has passed; `reason` says which. */
  readonly signal: AbortSignal;
  /** Tasks of the same caller in the same context, newest first, this one excluded. */
  earlierTasks(): Promise<readonly Task[]>;
  /** Shows progress. Resolves when it is taken down, which may be before it is committed. Rejects once the segment is over. */
  status(parts: readonly Part[]): Promise<void>;
  artifact(artifact: Artifact, append: boolean, lastChunk: boolean): Promise<void>;
  /**
   * Says how much may be kept, before an answer is asked of a provider that is stricter than the publication. If that keeps no
   * result, the task is FAILED and this rejects. Ceilings are never loosened.
   */
  tighten(wanted: Tightening): Promise<void>;
}

/** What may be kept of an agent's answers, and of what computes them; and how a finished task is archived. */
export interface PublicationProfile {
  /** For this publication. Default: `full`. */
  readonly task?: Ceiling;
  /** For what computes the answer: a model, a service. Default: `full`. */
  readonly provider?: Ceiling;
  /** Default: `standard`. */
  readonly archive?: ArchiveMode;
}

/** An agent as the application sees it, whatever kind it is. */
export interface Agent {
  readonly name: AgentName;
  /** Several tasks of one context may be open at once (G19 is off for this agent). */
  readonly parallel: boolean;
  readonly publication?: PublicationProfile;
  run(segment: SegmentPorts): Promise<Ending>;
  /** Answers a message that needs no task; undefined: make a task of it. */
  reply?(message: Message): Promise<readonly Part[] | undefined>;
}

export interface Agents {
  get(name: AgentName): Agent | undefined;
}

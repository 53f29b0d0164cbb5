import type { AgentError } from './agent-error.ts';
import type { OperatorAction } from './operator-action.ts';
import type { Blocked, Pin } from './blocked.ts';
import type { Brand, Millis } from './brand.ts';
import type { Spent } from './budget.ts';
import type { ArchiveMode, Ceiling } from './ceiling.ts';
import type { FailureReason } from './failure-reason.ts';
import type { RunFiles } from './files.ts';
import type { AgentName, ContextId, Fence, Revision, Scope, TaskId } from './ids.ts';
import type { Dependency, Orphan, Sending } from './dependency.ts';
import type { DayUse, ModelUse } from './model-use.ts';
import type { Origin } from './second-try.ts';
import type { SegmentTimes } from './segment-times.ts';
import type { TaskState } from './status.ts';
import type { Traceparent } from './trace-context.ts';
import type { Trail } from './trail.ts';

/**
 * A random token, fresh for each claim: host and process ids repeat in containers, this does not.
 */
export type ClaimToken = Brand<string, 'ClaimToken'>;

export interface Claim {
  readonly token: ClaimToken;
  readonly until: Millis;
}

/**
 * What brought a suspended run back: the row's pointer to it, until the next segment has taken it
 * in.
 */
export interface Continuation {
  /** The client's own words, a stored decision (G18), or the result of a remote agent. */
  readonly kind: 'message' | 'decision' | 'dependency';
  readonly generation: number;
  /** When it asked what this answers. Absent if it waited for no person. */
  readonly askedAt?: Millis;
  /** It asked for an authentication. */
  readonly auth?: true;
}

/** A copy of the task in the archive. */
export interface Archived {
  readonly revision: number;
  /** Of its object, so that the next copy takes its place without a look. */
  readonly generation: string;
}

/** What the row says of the webhooks of its task. */
export interface RunWebhooks {
  /** Of all of them, in the order in which they were set up. */
  readonly ids: readonly string[];
  /** Seals their URLs and secrets; itself sealed with the run key. */
  readonly key: Uint8Array;
  /**
   * The newest shown revision after which each of them was looked at: what is left to tell stands
   * in its own row.
   */
  readonly told: Revision;
}

/** What every run has, whatever its status. */
export interface RunFrame {
  readonly taskId: TaskId;
  readonly contextId: ContextId;
  readonly agent: AgentName;
  readonly tenant: string;
  readonly owner: string;
  readonly scope: Scope;
  /**
   * Its ranges in the indexes of rows and of its caller's list: as they were when it was accepted.
   */
  readonly shard: number;
  readonly listShard: number;
  readonly revision: Revision;
  /**
   * The newest revision that is known to be in the view and the archive. May lag behind the view,
   * never lead it.
   */
  readonly projectedRevision: Revision;
  readonly fence: Fence;
  /** Times that the run was put back into the queue since it last made a step forward. */
  readonly attempts: number;
  /**
   * Times that a segment began again without an attempt being counted, since the run last made a
   * step forward: its worker was told to go, or one of our own services took nothing. Absent if
   * none.
   */
  readonly repeats?: number;
  /** Raised by each pause; a decision names the one it was made for (G18). */
  readonly pauseGeneration: number;
  /** The revision that holds the client message which the next segment works on. */
  readonly inputRevision: Revision;
  readonly createdAt: Millis;
  /** Time of the newest revision; never goes backwards. */
  readonly statusAt: Millis;
  readonly deadlineAt: Millis;
  /** When it ended; what happens to its content after that does not change it. */
  readonly endedAt?: Millis;
  readonly answerCeiling: Ceiling;
  readonly auditCeiling: Ceiling;
  readonly archive: ArchiveMode;
  /** The run's data key, wrapped (docs/architecture.md#keys-and-sealing). */
  readonly wrappedKey: Uint8Array;
  /**
   * The commit that wrote this row's newest revision; a transaction recognises its own success by
   * it.
   */
  readonly commitId: string;
  /**
   * The commits before it, newest first, a few: another writer may have committed before one whose
   * answer was lost looks for its own.
   */
  readonly earlierCommits?: readonly string[];
  /**
   * Content of revisions up to this one is gone for good, its key destroyed; their states remain.
   */
  readonly scrubbedRevision: Revision;
  /**
   * Objects of scrubbed content may still lie about; the next projection deletes them before it
   * archives.
   */
  readonly scrubPending: boolean;
  /** The state that it came to rest in is not archived yet. */
  readonly archivePending?: true;
  /** It is open, and by then its newest revision is to be in the archive, too. */
  readonly archiveAt?: Millis;
  /** The newest copy in the archive that is known to the row; absent if there is none yet. */
  readonly archived?: Archived;
  /** The segment's message is kept beside the revision, because the revision holds it redacted. */
  readonly hasInput: boolean;
  /** When the sweeper may remove everything; null while the run is in use. */
  readonly purgeAt: Millis | null;
  /** The span that accepted it. Absent if tracing was off, and in rows from before tracing. */
  readonly trace?: Traceparent;
  /** How many steps its transcript has. */
  readonly steps: number;
  /** How many events were delivered to it, if any. */
  readonly signals?: number;
  readonly spent: Spent;
  /** Which models made its turns. Absent if none did. */
  readonly models?: readonly ModelUse[];
  /** The model that made the newest of them. */
  readonly lastModel?: string;
  /** What its models did that the counters of costs do not have yet. Absent if nothing. */
  readonly uncounted?: readonly DayUse[];
  /** The newest segments, oldest first. */
  readonly segments: readonly SegmentTimes[];
  /**
   * The work key (of transcript, checkpoints, sends and decisions), sealed with the run key. Made
   * with the first of these; dropped when the run ends, so that they can't be read any more.
   */
  readonly payloadKey?: Uint8Array;
  /** What is kept of its steps. Absent while it is open, and where nothing is. */
  readonly trail?: Trail;
  /** The tool call that may have begun and must not be repeated. */
  readonly effect?: string;
  readonly continuation?: Continuation;
  /** What the calls depend on that have waited and have no result. Absent if there are none. */
  readonly pins?: readonly Pin[];
  /** It came back to what is gone or changed. Absent if it did not. */
  readonly blocked?: Blocked;
  /**
   * The message that is on its way to a remote, until its outcome is committed. If the run ends
   * first, the task of the message is looked for.
   */
  readonly sending?: Sending;
  /**
   * Remote tasks that no run waits for and that are to be cancelled, once. Absent if there are
   * none.
   */
  readonly orphans?: readonly Orphan[];
  /** What operators did to it, oldest first. Absent if nothing. */
  readonly acts?: readonly OperatorAction[];
  /** What its agent's code threw, the newest few, oldest first. Absent if nothing. */
  readonly errors?: readonly AgentError[];
  /** Absent if its agent has no files. */
  readonly files?: RunFiles;
  /** Of a run that an operator made of an earlier one. */
  readonly origin?: Origin;
  /** Absent if it has none. */
  readonly webhooks?: RunWebhooks;
}

export interface Queued extends RunFrame {
  readonly status: 'queued';
  /** Not before this time (back-off). */
  readonly notBefore: Millis;
  /** The remote agent that is left alone just now and that it would send to. */
  readonly circuit?: string;
  /** Its function sleeps until `notBefore`: however late it wakes, its deadline came no nearer. */
  readonly asleep?: true;
  /** It wakes earlier if an event of one of these names comes. */
  readonly awaits?: readonly string[];
}
export interface Running extends RunFrame {
  readonly status: 'running';
  readonly claim: Claim;
}
export interface WaitingForPerson extends RunFrame {
  readonly status: 'waiting_for_input' | 'waiting_for_approval';
  readonly pausedAt: Millis;
  /** The question asks for data of a JSON Schema, which its revision holds. */
  readonly expectsData: boolean;
  /** Of a run that waits for an input: it is to be shown as a wait for an authentication. */
  readonly auth?: true;
  /**
   * Of the model's turn that is held; a decision names it. Absent if the question is not a model's.
   */
  readonly digest?: string;
}
export interface WaitingForDependency extends RunFrame {
  readonly status: 'waiting_for_dependency';
  readonly pausedAt: Millis;
  readonly dependency: Dependency;
}
export interface Ended extends RunFrame {
  readonly status: 'completed' | 'cancelled' | 'rejected';
}
export interface Failed extends RunFrame {
  readonly status: 'failed';
  readonly reason: FailureReason;
}
/** Its key is gone and its view deleted; the rest is being removed, and the row goes last. */
export interface Purging extends RunFrame {
  readonly status: 'purging';
}
/**
 * A status that a newer version wrote: still open, and not ours to change
 * (docs/architecture.md#reading-what-a-newer-version-wrote).
 */
export interface UnknownStatus extends RunFrame {
  readonly status: 'unknown';
  readonly stored: string;
  /** The row as it was read: fields that only the newer version knows are written back. */
  readonly row?: Readonly<Record<string, unknown>>;
}

export type Run =
  | Queued
  | Running
  | WaitingForPerson
  | WaitingForDependency
  | Ended
  | Failed
  | Purging
  | UnknownStatus;

/** Every status that a run can be seen in. */
export const RUN_STATUSES = [
  'queued',
  'running',
  'waiting_for_input',
  'waiting_for_approval',
  'waiting_for_dependency',
  'completed',
  'failed',
  'cancelled',
  'rejected',
] as const satisfies readonly Run['status'][];

/**
 * The A2A state of a run: derived, stored nowhere else as an authority
 * (docs/architecture.md#statuses-and-transitions).
 */
export function stateOf(run: Run): TaskState {
  switch (run.status) {
    case 'queued':
      return run.fence === 0 ? 'SUBMITTED' : 'WORKING';
    case 'running':
    case 'waiting_for_dependency':
    case 'unknown':
      return 'WORKING';
    case 'waiting_for_input':
      return run.auth === true ? 'AUTH_REQUIRED' : 'INPUT_REQUIRED';
    case 'waiting_for_approval':
      return 'AUTH_REQUIRED';
    case 'completed':
      return 'COMPLETED';
    case 'failed':
    case 'purging':
      return 'FAILED';
    case 'cancelled':
      return 'CANCELED';
    case 'rejected':
      return 'REJECTED';
  }
}

/** Asks a person, and owes nothing until they answer. */
export function waitsForPerson(run: Run): run is WaitingForPerson {
  return run.status === 'waiting_for_input' || run.status === 'waiting_for_approval';
}

export function isEnded(run: Run): run is Ended | Failed {
  return (
    run.status === 'completed' ||
    run.status === 'failed' ||
    run.status === 'cancelled' ||
    run.status === 'rejected'
  );
}

/** A row without these fields. */
export function without<R extends RunFrame, K extends keyof RunFrame>(
  run: R,
  ...keys: readonly K[]
): Omit<R, K> {
  // Not by `delete`: it makes a slow object of the copy, and of all that are made of it.
  const rest: Record<string, unknown> = {};
  for (const key in run) if (!keys.some((each: string) => each === key)) rest[key] = run[key];
  return rest as Omit<R, K>;
}

/** It waits for an operator, or for what is gone or changed to be as it was. */
export function isBlocked({ blocked, status }: Run): boolean {
  const waits = status === 'queued' || status === 'waiting_for_dependency';
  return waits && blocked !== undefined && blocked.accepted !== true;
}

/** It goes on. What an operator has accepted counts until its turn is over. */
export function unblocked<R extends RunFrame>(run: R): R {
  if (run.blocked === undefined || run.blocked.accepted === true) return run;
  return without(run, 'blocked') as R;
}

/** Whether this token is the claim of a running row; any other token has lost it (G12). */
export function hasClaim(run: Run, token: ClaimToken): run is Running {
  return run.status === 'running' && run.claim.token === token;
}

/**
 * Which try of its segment a worker makes with this row: 1, and one more for each that came before.
 */
export const tryOf = ({ attempts, repeats = 0 }: Pick<RunFrame, 'attempts' | 'repeats'>): number =>
  1 + attempts + repeats;

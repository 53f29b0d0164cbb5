import type { NewAudit } from '../domain/audit.ts';
import type { Beside } from '../domain/caller.ts';
import type { EventOf } from '../domain/item.ts';
import type { ContextId, Principal, TaskId } from '../domain/ids.ts';
import type { JsonObject } from '../domain/json.ts';
import type { Message, Part } from '../domain/message.ts';
import type { Refused } from '../domain/refusal.ts';
import type { ShownStatus } from '../domain/response-trace.ts';
import type { TaskState } from '../domain/status.ts';
import type { Task } from '../domain/task.ts';
import type { WebhookTarget, WireVersion } from '../domain/webhook.ts';
import type { Traceparent } from '../domain/trace-context.ts';

/** A webhook as a client describes it, unchecked. */
export interface WebhookConfig extends WebhookTarget {
  /** Absent: one is made. One that the task has already is replaced. */
  readonly id?: string;
}

/** A webhook as it is shown: without its token and its credentials. */
export interface ShownWebhook {
  readonly kind: 'webhook';
  readonly taskId: TaskId;
  readonly id: string;
  readonly url: string;
  readonly scheme?: string;
}

export interface WebhookPage {
  readonly kind: 'page';
  readonly webhooks: readonly ShownWebhook[];
  /** Empty on the last page. */
  readonly nextPageToken: string;
}

/** A message as a client sent it, its shape checked; ids are still as they came. */
export interface SendRequest {
  readonly message: Message;
  /** What came beside the message; absent if nothing. */
  readonly beside?: Beside;
  readonly taskId?: string;
  readonly contextId?: string;
  /**
   * The caller will wait with `settled`; otherwise the task can be read as soon as `send` returns.
   */
  readonly blocking?: boolean;
  /** To be told of the task from this message on. */
  readonly webhook?: NewWebhook;
  /** Only where the newest event of its task is at this position. */
  readonly ifSeq?: number;
  /** Of an operator who tries an agent: noted in the audit record, in the commit that takes it. */
  readonly audit?: NewAudit;
  /** The span of the request. */
  readonly trace?: Traceparent;
}

export interface NewWebhook extends WebhookConfig {
  /** Of the request that sets it up. */
  readonly version: WireVersion;
}

/**
 * A task took the message: a new one, the one that asked, or the one of an earlier delivery of the
 * same message (G22).
 */
export interface Accepted {
  readonly kind: 'accepted';
  readonly taskId: TaskId;
  readonly contextId: ContextId;
  /** The revision that holds the message; an answer to it has a higher one. */
  readonly revision: number;
}

/** The agent answered with a message; no task exists. */
export interface Replied {
  readonly kind: 'replied';
  readonly message: Message;
  readonly contextId: ContextId;
}

export interface TaskFilter {
  readonly contextId?: string;
  readonly state?: TaskState;
  /** Inclusive, milliseconds. */
  readonly statusAfter?: number;
  /** 1 to 100; 50 when absent. */
  readonly pageSize?: number;
  readonly pageToken?: string;
  readonly historyLength?: number;
  readonly includeArtifacts: boolean;
}

export interface TaskPage {
  readonly kind: 'page';
  readonly tasks: readonly Task[];
  /** Of each, the position of its newest event. */
  readonly seqs: readonly number[];
  /** Empty on the last page. */
  readonly nextPageToken: string;
  readonly pageSize: number;
  readonly totalSize: number;
}

/** One step of a stream, with the journal position that a client resumes behind. */
export type Frame =
  | { readonly kind: 'task'; readonly seq: number; readonly task: Task }
  | { readonly kind: 'event'; readonly seq: number; readonly event: EventOf<Part> };

export interface StreamRequest {
  /**
   * `settled`: ends at a terminal or input-required state (a sender's stream). `terminal`: only
   * there (a subscriber's).
   */
  readonly until: 'settled' | 'terminal';
  /** For a sender's stream: only states after this revision end it. */
  readonly afterRevision?: number;
  /**
   * Resume behind this journal position: the task as it stood there without its content, then every
   * later event once.
   */
  readonly afterSeq?: number;
}

/** What a caller waits for who has sent a message. */
export interface Settling {
  /** The revision that took the message. */
  readonly afterRevision: number;
  /** `undefined`: all; 0: none; n: the n newest. */
  readonly historyLength?: number | undefined;
}

/** What a poll of a task asks. */
export interface Polling {
  /** `undefined`: all; 0: none; n: the n newest. */
  readonly historyLength?: number | undefined;
  /** Answer when there is an event behind this position of the journal. */
  readonly afterSeq?: number | undefined;
}

export interface Polled {
  readonly kind: 'polled';
  readonly task: Task;
  /** Position of its newest event. */
  readonly seq: number;
}

/**
 * What the edge may ask of the application. Everything is scoped by the principal (G23); refusals
 * are returned, faults thrown.
 */
export interface TaskService {
  send(principal: Principal, request: SendRequest): Promise<Accepted | Replied | Refused>;
  /**
   * The task when a revision after that one has ended or interrupted it, at the cap, or when the
   * signal aborts.
   */
  settled(
    principal: Principal,
    taskId: TaskId,
    settling: Settling,
    signal: AbortSignal,
  ): Promise<Polled | Refused>;
  /** `historyLength` undefined: all; 0: none; n: the n newest. */
  get(principal: Principal, taskId: string, historyLength?: number): Promise<Task | Refused>;
  /**
   * The same with its position in the journal; where news is waited for, at the cap or when the
   * signal aborts at the latest.
   */
  poll(
    principal: Principal,
    taskId: string,
    polling: Polling,
    signal: AbortSignal,
  ): Promise<Polled | Refused>;
  /**
   * What was done for a task until it came to the state that is shown; undefined for unknown and
   * foreign ids. Absent where callers are not told.
   */
  readonly trace?: (
    principal: Principal,
    taskId: string,
    shown: ShownStatus,
  ) => Promise<JsonObject | undefined>;
  list(principal: Principal, filter: TaskFilter): Promise<TaskPage | Refused>;
  /** `trace` is the span of the request. */
  cancel(principal: Principal, taskId: string, trace?: Traceparent): Promise<Task | Refused>;
  createWebhook(
    principal: Principal,
    taskId: string,
    webhook: NewWebhook,
  ): Promise<ShownWebhook | Refused>;
  /** Without an id: the first that was set up. */
  getWebhook(principal: Principal, taskId: string, id?: string): Promise<ShownWebhook | Refused>;
  /** In the order in which they were set up. */
  listWebhooks(
    principal: Principal,
    taskId: string,
    page: { readonly pageSize?: number; readonly pageToken?: string },
  ): Promise<WebhookPage | Refused>;
  /** Also for one that is gone already. */
  deleteWebhook(
    principal: Principal,
    taskId: string,
    id: string,
  ): Promise<{ readonly kind: 'deleted' } | Refused>;
  /**
   * Opens a stream. Its first frame is the task. The iteration ends at the state that `until`
   * names, or when the signal aborts; a consumer that stops iterating frees what it held.
   */
  stream(
    principal: Principal,
    taskId: string,
    request: StreamRequest,
    signal: AbortSignal,
  ): Promise<AsyncIterable<Frame> | Refused>;
}

import type { Millis } from '../domain/brand.ts';
import type { Artifact, Message, Part } from '../domain/message.ts';
import type { RemoteTaskRef, Remote } from '../domain/remote.ts';
import type { TaskState } from '../domain/status.ts';

/**
 * A message on its way to a remote agent; its digest is in the journal of sends before it leaves
 * (G14).
 */
export interface Outgoing {
  readonly messageId: string;
  readonly contextId: string;
  readonly parts: readonly Part[];
  /** Where the remote may tell us that its task changed; the token proves that it is the remote. */
  readonly push?: { readonly url: string; readonly token: string };
}

/** A remote task as it was answered. An unknown state counts as at work. */
export interface RemoteTask {
  readonly ref: RemoteTaskRef;
  readonly state: TaskState | 'UNKNOWN';
  /** The words of its status. */
  readonly message?: Message;
  readonly artifacts: readonly Artifact[];
  /** Size of the response's body, unpacked. */
  readonly bytes: number;
}

/** Why a call came to nothing, for the log and the model; no content of an answer. */
export interface CallFailure {
  /**
   * `connection refused`, `tls`, `dns`, `private address`, `timeout`, `http 502`, `malformed`,
   * `too large` ...
   */
  readonly reason: string;
  /** An HTTP status or a JSON-RPC code, where there was one. */
  readonly code?: number;
  /** The remote asked us to wait this long. */
  readonly retryAfter?: Millis;
  /** A fault of our own configuration, which no second try mends: what to set, in words. */
  readonly advice?: string;
}

export type SendOutcome =
  | { readonly kind: 'acknowledged'; readonly task: RemoteTask }
  /** It answered with a message; no task exists there. */
  | { readonly kind: 'replied'; readonly message: Message; readonly bytes: number }
  /** It answered that it did not take the message: nothing was started. */
  | ({ readonly kind: 'refused' } & CallFailure)
  /** Provably no byte of the request left. */
  | ({ readonly kind: 'not_sent' } & CallFailure)
  /** Bytes left and no answer that says what became of them. */
  | ({ readonly kind: 'outcome_unknown' } & CallFailure);

export type PollOutcome =
  | { readonly kind: 'task'; readonly task: RemoteTask }
  /** The remote says that it does not know the task (-32001). */
  | { readonly kind: 'gone' }
  /**
   * It is there, and its answer can't be used however often it is asked: malformed, or over the
   * limits.
   */
  | ({ readonly kind: 'unusable' } & CallFailure)
  /** A failure of this poll, never of the task. */
  | ({ readonly kind: 'failed' } & CallFailure);

export type CancelOutcome =
  | { readonly kind: 'answered'; readonly state: TaskState | 'UNKNOWN' }
  /** It can't be cancelled (-32002), is not known (-32001), or the remote can't cancel at all. */
  | ({ readonly kind: 'refused' } & CallFailure)
  | ({ readonly kind: 'not_sent' } & CallFailure)
  | ({ readonly kind: 'outcome_unknown' } & CallFailure);

/**
 * Remote agents. No method throws for what a remote does: every outcome is a value, and says what
 * is known. Nothing is sent twice in here: no retries, no redirects.
 */
export interface RemoteAgents {
  /** SendMessage, to be answered at once (`returnImmediately`). */
  send(remote: Remote, outgoing: Outgoing, signal?: AbortSignal): Promise<SendOutcome>;
  /** GetTask. */
  poll(remote: Remote, remoteTask: RemoteTaskRef, signal?: AbortSignal): Promise<PollOutcome>;
  /**
   * Tasks of a context of ours: how the task of a lost answer is found. Undefined: the remote can't
   * list, or did not answer.
   */
  find(
    remote: Remote,
    contextId: string,
    signal?: AbortSignal,
  ): Promise<readonly RemoteTaskRef[] | undefined>;
  /** CancelTask. */
  cancel(remote: Remote, remoteTask: RemoteTaskRef, signal?: AbortSignal): Promise<CancelOutcome>;
}

import type { Millis } from './brand.ts';
import type { PublicJwk } from './jws.ts';

/**
 * What is sent with each request to a remote, and to which one origin: the declared address's own,
 * unless it is said here. What the remote says can't name another. Never a secret itself, only its
 * name.
 */
export type RemoteCredential = { readonly origin?: string } & (
  | { readonly scheme: string; readonly secret: string }
  /** In a header of its own, as API keys are. */
  | { readonly header: string; readonly secret: string }
  /** An identity token of our own service account; `audience` is the origin unless given. */
  | { readonly google: true; readonly audience?: string }
);

/** A remote agent that one of our agents may delegate to, as declared (docs/delegation.md). */
export interface Remote {
  /** Also the name of the tool that the model sees. */
  readonly name: string;
  /** For the model: what it is good for. */
  readonly description: string;
  /** URL of its agent card. */
  readonly card: string;
  /** Keys of which one must have signed the card; none: its signatures are not looked at. */
  readonly signedBy?: readonly PublicJwk[];
  readonly credential?: RemoteCredential;
  /** Its tasks are polled this often at first. */
  readonly pollInterval: Millis;
  /**
   * Never more often than this, also when it pushes; and at least this often. The installation's
   * settings where it says nothing.
   */
  readonly pollMin?: Millis;
  readonly pollMax?: Millis;
  /**
   * A delegation that has no result by then is resolved as timed out, and the remote task
   * cancelled.
   */
  readonly deadline: Millis;
  /** Bytes of one message, and of one answer, at most. */
  readonly messageBytes: number;
  readonly answerBytes: number;
  /** A person must approve each send. */
  readonly approval: boolean;
  /** Ask it to tell us when its task changes; that only makes the next poll come sooner. */
  readonly push: boolean;
}

/** How a remote task is identified. */
export interface RemoteTaskRef {
  readonly taskId: string;
  /** Made here, one for each delegation, so that the task of a lost answer can be found. */
  readonly contextId: string;
}

/** How the answer of a remote came out, for the model and for the operator's timeline. */
export type Resolution =
  | 'completed'
  | 'failed'
  | 'rejected'
  | 'canceled'
  | 'input-required'
  | 'auth-required'
  /** The remote does not know the task any more. */
  | 'gone'
  | 'timeout'
  /** An operator gave up on a send whose outcome is not known. */
  | 'abandoned'
  /** The remote did not take what an operator sent again. */
  | 'refused'
  /** The answer is malformed, or over the limits. */
  | 'unusable';

/** What became of a send. `prepared` is what a crash leaves: whether it left is unknown (G15). */
export type SendState =
  | 'prepared'
  | 'acknowledged'
  /** The remote answered that it did not take it. */
  | 'refused'
  /** Provably no byte left. The only state in which the same id may go out again. */
  | 'not_sent'
  | 'outcome_unknown'
  /** An operator sent it again under another id. */
  | 'superseded'
  | 'abandoned';

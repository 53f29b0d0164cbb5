import type { Millis } from './brand.ts';
import type { DecisionKind } from './step.ts';

/**
 * What an operator can do to a run. A decision names its decider, too, but only until the run ends.
 */
export type OperatorActionKind =
  | 'resend'
  | 'link'
  | 'abandon'
  | 'cancel'
  | 'continue'
  | 'redeliver'
  /** A new run was made of this one, or this one of another. */
  | 'retry'
  | 'fork'
  | DecisionKind;

/**
 * The record of an operator's action: in the row from the commit that did it until the run is
 * removed.
 */
export interface OperatorAction {
  /** An OperatorActionKind, or one that only a newer version knows. */
  readonly kind: string;
  readonly at: Millis;
  /** Message id of the send that it was done to. */
  readonly sendId?: string;
  /** The run that was made, or that this one was made of. */
  readonly task?: string;
  /** The operator's name, sealed with the run key. */
  readonly operator: Uint8Array;
}

/** Only a resend that never leaves could add records without end. */
const KEPT = 100;

type WithActions = { readonly acts?: readonly OperatorAction[] };

/** The newest at the end. Without actions the row has no such field. */
export function withAction({ acts = [] }: WithActions, act: OperatorAction): WithActions {
  return { acts: [...acts, act].slice(-KEPT) };
}

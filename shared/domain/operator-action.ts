import type { Millis } from './brand.ts';
import type { DecisionKind } from './step.ts';

/** What an operator can do to a run. Who decided stands in the decision, too, and there it can be read only until the run ends. */
export type OperatorActionKind = 'resend' | 'link' | 'abandon' | 'cancel' | DecisionKind;

/** That an operator did that: in the row since the commit that did it, until the run is removed. */
export interface OperatorAction {
  /** An ActKind, or one that only a newer version knows. */
  readonly kind: string;
  readonly at: Millis;
  /** Message id of the send that it was done to. */
  readonly sendId?: string;
  /** Who it was, sealed with the run's key. */
  readonly operator: Uint8Array;
}

/** Only a resend that never leaves can be repeated without end. */
const KEPT = 100;

type WithActions = { readonly acts?: readonly OperatorAction[] };

/** The newest at the end. Rows without any have no such field. */
export function withAction({ acts = [] }: WithActions, act: OperatorAction): WithActions {
  return { acts: [...acts, act].slice(-KEPT) };
}

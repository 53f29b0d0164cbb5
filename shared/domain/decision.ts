import type { Millis } from './brand.ts';
import type { Json } from './json.ts';
import type { DecisionKind } from './step.ts';

/**
 * What a person decides about a pause. It names the pause, and the turn that is held in it (G18).
 */
export interface Decision {
  readonly kind: DecisionKind;
  readonly pauseGeneration: number;
  /** Of the turn that is held; absent if the question is not a model's. */
  readonly digest?: string;
  /** What is put in, for kind `input` and no other. */
  readonly input?: Json;
  /** Why, of an operator's denial: its model is told. */
  readonly note?: string;
}

/** Proof that a decision is stored. It names no person, because the task shows it, too. */
export interface DecisionReceipt {
  readonly id: string;
  readonly run: string;
  readonly generation: number;
  readonly kind: DecisionKind;
  readonly time: Millis;
}

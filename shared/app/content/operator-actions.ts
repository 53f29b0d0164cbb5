import {
  type OperatorAction,
  type OperatorActionKind,
  withAction,
} from '../../domain/operator-action.ts';
import type { Millis } from '../../domain/brand.ts';
import type { Run } from '../../domain/run.ts';
import { Unreadable } from '../../ports/faults.ts';
import type { App } from '../app.ts';
import type { SealingKey } from './sealing-key.ts';
import { unseal, seal } from './sealing.ts';

/** What an operator does. */
export interface NewOperatorAction extends Pick<OperatorAction, 'sendId' | 'task'> {
  readonly kind: OperatorActionKind;
}

/** Binds the name to what was done, so that it can't be moved to another action. */
type Bound = Pick<OperatorAction, 'kind' | 'sendId' | 'task'>;

const bindingOf = ({ kind, sendId, task }: Bound) =>
  ['operator action', kind, sendId ?? null, ...(task === undefined ? [] : [task])] as const;

/** An act before the time at which it happened is known. */
export type SealedAction = Omit<OperatorAction, 'at'>;

/**
 * Who did that, sealed with the run key, not the work key: the work is destroyed when the run ends,
 * and that is when people ask who ended it.
 */
export function sealAction(
  app: App,
  runKey: SealingKey,
  { kind, sendId, task }: NewOperatorAction,
  operator: string,
): SealedAction {
  const act = {
    kind,
    ...(sendId !== undefined && { sendId }),
    ...(task !== undefined && { task }),
  };
  return { ...act, operator: sealOperator(app, runKey, act, operator) };
}

function sealOperator(app: App, runKey: SealingKey, act: Bound, operator: string): Uint8Array {
  return seal(runKey, bindingOf(act), app.ids.bytes(12), Buffer.from(operator));
}

/** The row with a note of who did that, for the commit that does it. Without an act, the row. */
export function withOperatorAction<R extends Run>(
  next: R,
  act: SealedAction | undefined,
  now: Millis,
): R {
  return act === undefined ? next : { ...next, ...withAction(next, { ...act, at: now }) };
}

/** Undefined: the name is unreadable. */
export function operatorOf(runKey: SealingKey, act: OperatorAction): string | undefined {
  try {
    return Buffer.from(unseal(runKey, bindingOf(act), act.operator)).toString('utf8');
  } catch (error) {
    if (error instanceof Unreadable) return undefined;
    throw error;
  }
}

/**
 * A run's actions under its new key. An action whose name is unreadable keeps what was done, and
 * when.
 */
export function resealOperatorActions(
  app: App,
  { acts }: Run,
  before: SealingKey,
  after: SealingKey,
): { readonly acts?: readonly OperatorAction[] } {
  if (acts === undefined) return {};
  const resealed = acts.map((act) => {
    const operator = operatorOf(before, act);
    return operator === undefined
      ? act
      : { ...act, operator: sealOperator(app, after, act, operator) };
  });
  return { acts: resealed };
}

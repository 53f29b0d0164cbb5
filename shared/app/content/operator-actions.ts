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

/** Who did what, before it is sealed. */
export interface NewOperatorAction extends Pick<OperatorAction, 'sendId'> {
  readonly kind: OperatorActionKind;
  /** The name that grants are given to. */
  readonly operator: string;
}

/** Binds the name to what was done, so that it can't be moved to another action. */
const aad = (
  taskId: string,
  { kind, sendId = '' }: Pick<OperatorAction, 'kind' | 'sendId'>,
): string => `runs/${taskId}|act|${kind}|${sendId}`;

/**
 * The row with a record of who did that, for the commit that does it. It is sealed with the run key, not the work key: the work is
 * destroyed when the run ends, and that is when people ask who ended it.
 */
export function withOperatorAction<R extends Run>(
  app: App,
  runKey: SealingKey,
  next: R,
  { operator, ...act }: NewOperatorAction,
  now: Millis,
): R {
  return { ...next, ...withAction(next, sealAction(app, runKey, { ...act, at: now }, operator)) };
}

function sealAction(
  app: App,
  runKey: SealingKey,
  act: Omit<OperatorAction, 'operator'>,
  operator: string,
): OperatorAction {
  const nonce = app.ids.bytes(12);
  const bytes = seal(runKey.key, aad(runKey.taskId, act), nonce, Buffer.from(operator));
  return { ...act, operator: bytes };
}

/** Undefined: the name is unreadable. */
export function operatorOf(runKey: SealingKey, act: OperatorAction): string | undefined {
  try {
    return Buffer.from(unseal(runKey.key, aad(runKey.taskId, act), act.operator)).toString('utf8');
  } catch (error) {
    if (error instanceof Unreadable) return undefined;
    throw error;
  }
}

/** A run's actions under its new key. An action whose name is unreadable keeps what was done, and when. */
export function resealOperatorActions(
  app: App,
  { acts }: Run,
  before: SealingKey,
  after: SealingKey,
): { readonly acts?: readonly OperatorAction[] } {
  if (acts === undefined) return {};
  const resealed = acts.map((act) => {
    const operator = operatorOf(before, act);
    return operator === undefined ? act : sealAction(app, after, act, operator);
  });
  return { acts: resealed };
}

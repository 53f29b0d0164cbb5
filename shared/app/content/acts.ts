import { type Act, type ActKind, withAct } from '../../domain/act.ts';
import type { Millis } from '../../domain/brand.ts';
import type { Run } from '../../domain/run.ts';
import { Unreadable } from '../../ports/faults.ts';
import type { App } from '../app.ts';
import type { Place } from './place.ts';
import { open, seal } from './sealing.ts';

/** Who did what, before it is sealed. */
export interface NewAct extends Pick<Act, 'sendId'> {
  readonly kind: ActKind;
  /** The name that grants are given to. */
  readonly operator: string;
}

/** Names what was done, too: no name opens beside another act. */
const aad = (taskId: string, { kind, sendId = '' }: Pick<Act, 'kind' | 'sendId'>): string =>
  `runs/${taskId}|act|${kind}|${sendId}`;

/**
 * The row with a note of who did that, for the commit that does it. Sealed with the run's own key: what a run works with is gone when
 * it ends, and that is when somebody asks who ended it.
 */
export function acted<R extends Run>(
  app: App,
  place: Place,
  next: R,
  { operator, ...act }: NewAct,
  now: Millis,
): R {
  return { ...next, ...withAct(next, sealed(app, place, { ...act, at: now }, operator)) };
}

function sealed(app: App, place: Place, act: Omit<Act, 'operator'>, operator: string): Act {
  const nonce = app.ids.bytes(12);
  const bytes = seal(place.key, aad(place.taskId, act), nonce, Buffer.from(operator));
  return { ...act, operator: bytes };
}

/** Undefined: nobody can say any more. */
export function operatorOf(place: Place, act: Act): string | undefined {
  try {
    return Buffer.from(open(place.key, aad(place.taskId, act), act.operator)).toString('utf8');
  } catch (error) {
    if (error instanceof Unreadable) return undefined;
    throw error;
  }
}

/** The acts of a run under its new key. Of one that can't be read what was done remains, and when. */
export function carriedActs(
  app: App,
  { acts }: Run,
  before: Place,
  after: Place,
): { readonly acts?: readonly Act[] } {
  if (acts === undefined) return {};
  const carried = acts.map((act) => {
    const operator = operatorOf(before, act);
    return operator === undefined ? act : sealed(app, after, act, operator);
  });
  return { acts: carried };
}

import type { Json } from '../../domain/json.ts';
import { isRefused, type Refused } from '../../domain/refusal.ts';
import type { App } from '../app.ts';
import { deliverSignal, type SignalTaken } from '../signals/deliver-signal.ts';
import { notAllowed, type OperatorRefused } from './operator-refusal.ts';
import type { Operator } from './operator-rights.ts';
import { runFor } from './seen-run.ts';

const FIELDS = { name: 'name', data: 'data', id: 'id' } as const;

/**
 * Delivers an event to a run on an operator's word, whatever name its agent declares. Throws
 * Unreadable, Unavailable, Contention.
 */
export async function deliverEvent(
  app: App,
  operator: Operator,
  run: string,
  event: { readonly name: string; readonly data: Json; readonly id?: string | undefined },
): Promise<SignalTaken | Refused | OperatorRefused> {
  const seen = await runFor(app, operator.rights, run, 'decide');
  if ('kind' in seen) return seen;
  if (seen.run.status === 'unknown')
    return notAllowed('STATUS_UNKNOWN', 'a newer version wrote the status of this run');
  const by = { kind: 'operator', operator: operator.subject } as const;
  // An id of an operator is none of a caller's message.
  const id = event.id === undefined ? undefined : `operator ${event.id}`;
  const taken = await deliverSignal(app, seen.run, { ...event, id }, by, { fields: FIELDS });
  if (isRefused(taken) && taken.code === 'TASK_TERMINAL')
    return notAllowed('RUN_ENDED', 'the run has ended, and takes no event');
  return taken;
}

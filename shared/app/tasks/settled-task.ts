import { type Principal, scopeOf, type TaskId } from '../../domain/ids.ts';
import type { Refused } from '../../domain/refusal.ts';
import { isSettled } from '../../domain/status.ts';
import type { App } from '../app.ts';
import { unknownTask } from '../change/own-run.ts';
import { type ViewDoc, viewDoc } from '../records/documents.ts';
import type { Polled, Settling } from '../service.ts';
import { ownView, polledOf } from './read-task.ts';
import { withinCap } from './within-cap.ts';

/**
 * The task once a revision after `afterRevision` has ended or interrupted it; at the cap, or when
 * the signal aborts, as it stands. It is the view that is waited for, which is what the answer is
 * made of (G2).
 */
export async function settledTask(
  app: App,
  principal: Principal,
  id: TaskId,
  { afterRevision, historyLength }: Settling,
  signal: AbortSignal,
): Promise<Polled | Refused> {
  const settled = await withinCap(app, signal, (until) =>
    settledView(app, principal, id, afterRevision, until),
  );
  // Not settled in time: it must at least show what its caller sent.
  const view = settled ?? (await ownView(app, principal, id, afterRevision));
  return view === undefined ? unknownTask() : polledOf(app, view, historyLength);
}

async function settledView(
  app: App,
  principal: Principal,
  id: TaskId,
  afterRevision: number,
  until: AbortSignal,
): Promise<ViewDoc | undefined> {
  const scope = scopeOf(principal);
  // A message to a task that was there before may wait to be shown.
  if (afterRevision > 1 && (await ownView(app, principal, id, afterRevision)) === undefined)
    return undefined;
  for await (const view of app.store.watch(viewDoc(id), until)) {
    if (view === undefined) continue;
    if (view.scope !== scope) return undefined;
    if (view.projectedRevision > afterRevision && isSettled(view.state)) return view;
  }
  return undefined;
}

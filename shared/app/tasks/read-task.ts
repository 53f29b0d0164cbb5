import { type Principal, scopeOf, taskId } from '../../domain/ids.ts';
import { isRefused, type Refused, refused } from '../../domain/refusal.ts';
import type { Task } from '../../domain/task.ts';
import type { App } from '../app.ts';
import { type ViewDoc, viewDoc } from '../records/documents.ts';
import { viewKeyOf } from '../content/sealing-key.ts';
import { unknownTask } from '../change/own-run.ts';
import { projectRun } from '../change/project-run.ts';
import { unsealTask } from '../content/snapshot.ts';
import { taskSize } from '../content/task-size.ts';
import type { Polled } from '../service.ts';

export interface ReadOptions {
  readonly historyLength?: number | undefined;
  /**
   * The answer must show this revision; what is committed but not yet projected is projected first.
   */
  readonly atLeast?: number;
}

/**
 * GetTask: one read of the view, which is the committed and projected state (G2). A read has no
 * side effects (G20).
 */
export async function readTask(
  app: App,
  principal: Principal,
  id: string,
  options: ReadOptions = {},
): Promise<Task | Refused> {
  const view = await ownView(app, principal, id, options.atLeast ?? 0);
  return view === undefined ? unknownTask() : answerOf(app, view, options.historyLength);
}

/** A task as it is answered, unless it is more than one answer may carry. */
export async function answerOf(
  app: App,
  view: ViewDoc,
  historyLength: number | undefined,
): Promise<Task | Refused> {
  const task = await unsealTask(app, await viewKeyOf(app, view), view, { historyLength });
  return taskSize(task) > app.settings.answerBytes ? tooLarge(app, task) : task;
}

/** The same with its position in the journal, from the same row. */
export async function polledOf(
  app: App,
  view: ViewDoc,
  historyLength: number | undefined,
): Promise<Polled | Refused> {
  const task = await answerOf(app, view, historyLength);
  return isRefused(task) ? task : { kind: 'polled', seq: view.lastSeq, task };
}

/** Refused rather than cut: a caller could not tell what is missing. */
function tooLarge({ settings }: App, { taskId, status, history }: Task): Refused {
  const some = history.length > 0 ? ' Ask for less with historyLength, or' : ' To get it,';
  return refused(
    'TASK_TOO_LARGE',
    `the task ${taskId} (${status.state}) has more than the ${settings.answerBytes} bytes that one answer may carry.${some} subscribe to it with Last-Event-ID: 0, which sends its events one by one.`,
    { metadata: { taskId, state: status.state } },
  );
}

/** The caller's own view; undefined for unknown and foreign ids alike (G23). */
export async function ownView(
  app: App,
  principal: Principal,
  id: string,
  atLeast = 0,
): Promise<ViewDoc | undefined> {
  const known = taskId(id);
  if (known === undefined) return undefined;
  const view = await app.store.get(viewDoc(known));
  const current = (view?.projectedRevision ?? 0) < atLeast ? await projectRun(app, known) : view;
  return current?.scope === scopeOf(principal) ? current : undefined;
}

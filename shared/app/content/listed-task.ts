import type { Task } from '../../domain/task.ts';
import type { App } from '../app.ts';
import type { ViewDoc } from '../records/documents.ts';
import type { Subkeys } from '../subkeys.ts';
import { boundView } from './bindings.ts';
import type { SealingKey } from './sealing-key.ts';
import { unsealTask, type Wanted } from './snapshot.ts';
import { taskSize } from './task-size.ts';

/** Bytes over which a task is opened each time: keys are bounded by number alone. */
const MOST = 4_096;

/** A task as a list shows it, and how many bytes it takes there. */
export interface ListedTask {
  readonly task: Task;
  readonly bytes: number;
}

interface Known extends ListedTask {
  readonly view: ViewDoc;
  readonly wanted: Wanted;
}

/**
 * What lists opened last with each key. It can be reached by the opened key alone: where the key
 * ring forgets or replaces that (a purge, a scrub, five minutes), this goes with it.
 */
const listed = new WeakMap<Subkeys, Known>();

/**
 * The task of a view for a list, which shows the same fifty views again and again: opened once for
 * as long as its key is held. It is the same only for the same sealed bytes beside the same clear
 * fields, so what would not open is refused here as well. Not for an agent, which may change what
 * it is given. Throws Unreadable.
 */
export async function listedTask(
  app: App,
  runKey: SealingKey,
  view: ViewDoc,
  wanted: Wanted,
): Promise<ListedTask> {
  const known = listed.get(runKey.keys);
  if (known !== undefined && isAsWanted(known, wanted) && isSame(known.view, view)) return known;
  const task = await unsealTask(app, runKey, view, wanted);
  const bytes = taskSize(task);
  const fresh = { view, wanted, task, bytes };
  if (Math.max(bytes, view.content.byteLength) <= MOST) listed.set(runKey.keys, fresh);
  return fresh;
}

const isAsWanted = ({ wanted }: Known, { artifacts, historyLength }: Wanted): boolean =>
  wanted.artifacts === artifacts && wanted.historyLength === historyLength;

/** The very row, or one that was read anew and is equal. */
function isSame(known: ViewDoc, view: ViewDoc): boolean {
  if (known === view) return true;
  const [before, now] = [boundOf(known), boundOf(view)];
  return (
    Buffer.compare(known.content, view.content) === 0 &&
    before.length === now.length &&
    before.every((value, at) => value === now[at])
  );
}

const boundOf = (view: ViewDoc): readonly unknown[] => [
  view.taskId,
  view.scope,
  view.agent,
  ...boundView(view),
];

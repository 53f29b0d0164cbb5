import type { StatusOf, Task } from '../../domain/task.ts';
import type { Part } from '../../domain/message.ts';
import type { App } from '../app.ts';
import { type EntryDoc, pad, type ViewDoc } from '../records/documents.ts';
import { entriesAfter } from '../records/entries-after.ts';

/**
 * The task as it stood at a journal position, for a client that has all up to there: what it is and
 * its status, no artifacts and no history. So a resumed stream begins with a task like any other
 * (A2A section 3.1.6), and costs what was missed, not what is there.
 */
export async function taskAt(app: App, view: ViewDoc, seq: number): Promise<Task> {
  const { contextId, taskId } = view;
  const status = await statusAt(app, view, seq);
  return { taskId, contextId, status, artifacts: [], history: [] };
}

async function statusAt(app: App, view: ViewDoc, seq: number): Promise<StatusOf<Part>> {
  if (seq === 0) return { state: 'SUBMITTED', at: view.createdAt };
  const around = { ...entriesAfter(view.taskId, seq), limit: 1 };
  const [found] = await app.store.page({ ...around, from: { value: pad(seq), inclusive: true } });
  return found === undefined ? { state: view.state, at: view.statusAt } : within(found.value, seq);
}

/** Of the entry that holds the position. */
function within({ at, state, states }: EntryDoc, seq: number): StatusOf<Part> {
  const change = states.findLast((each) => each.seq <= seq);
  if (change !== undefined) return { state: change.state, at: change.at };
  // Before its first change of state an entry holds artifacts, and only a task at work makes those.
  return { state: states.length === 0 ? state : 'WORKING', at };
}

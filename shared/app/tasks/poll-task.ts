import type { Principal } from '../../domain/ids.ts';
import type { Refused } from '../../domain/refusal.ts';
import { isTerminal } from '../../domain/status.ts';
import type { App } from '../app.ts';
import { unknownTask } from '../change/own-run.ts';
import { entriesAfter } from '../records/entries-after.ts';
import type { Polled, Polling } from '../service.ts';
import { ownView, polledOf } from './read-task.ts';
import { withinCap } from './within-cap.ts';

/**
 * A task and its position in the journal, from one row. With `afterSeq` it waits for an event
 * behind that position, until the cap or the signal; a task that has ended has none to come.
 */
export async function pollTask(
  app: App,
  principal: Principal,
  id: string,
  { afterSeq, historyLength }: Polling,
  signal: AbortSignal,
): Promise<Polled | Refused> {
  const before = await ownView(app, principal, id);
  if (before === undefined) return unknownTask();
  const waits = afterSeq !== undefined && before.lastSeq <= afterSeq && !isTerminal(before.state);
  if (waits) await untilNews(app, before.taskId, afterSeq, signal);
  const view = waits ? await ownView(app, principal, id) : before;
  if (view === undefined) return unknownTask();
  return polledOf(app, view, historyLength);
}

async function untilNews(app: App, id: string, seq: number, signal: AbortSignal): Promise<void> {
  await withinCap(app, signal, async (until) => {
    for await (const entries of app.store.follow(entriesAfter(id, seq), undefined, until))
      if (entries.length > 0) return;
  });
}

import type { Millis } from '../../domain/brand.ts';
import type { Principal } from '../../domain/ids.ts';
import { invalid, type Refused, refused } from '../../domain/refusal.ts';
import { isTerminal } from '../../domain/status.ts';
import type { Task } from '../../domain/task.ts';
import type { App } from '../app.ts';
import { acceptedTask } from '../content/accepted-task.ts';
import { loadItem } from '../content/content.ts';
import { openEntry } from '../content/journal-entry.ts';
import { type EntryDoc, type ViewDoc, viewDoc } from '../records/documents.ts';
import { type SealingKey, viewKeyOf } from '../content/sealing-key.ts';
import { unknownTask } from '../change/own-run.ts';
import { entriesAfter } from '../records/entries-after.ts';
import { ownView } from './read-task.ts';
import { startingWith } from './starting-with.ts';
import { taskAt } from './task-at.ts';
import { untilGone } from './until-gone.ts';
import type { Frame, StreamRequest } from '../service.ts';
import { unsealTask } from '../content/snapshot.ts';
import { taskSize } from '../content/task-size.ts';

/**
 * Opens a stream over the journal, the only thing that a stream is ever fed from (G2). The snapshot
 * and the journal position come from one row, so nothing lies between the first frame and the next.
 */
export async function streamTask(
  app: App,
  principal: Principal,
  id: string,
  request: StreamRequest,
  signal: AbortSignal,
): Promise<AsyncIterable<Frame> | Refused> {
  const view = await ownView(app, principal, id, request.afterRevision ?? 0);
  if (view === undefined) return unknownTask();
  const runKey = await viewKeyOf(app, view);
  const { afterSeq } = request;
  if (afterSeq !== undefined && afterSeq > view.lastSeq) {
    return invalid('Last-Event-ID', `is beyond the newest event, which is ${view.lastSeq}`);
  }
  const nothingToCome = isTerminal(view.state) && (afterSeq ?? view.lastSeq) >= view.lastSeq;
  if (request.until === 'terminal' && nothingToCome) {
    return refused('TASK_TERMINAL', `the task is ${view.state}; read it with GetTask`);
  }
  const first =
    afterSeq === undefined
      ? await firstWithin(app, runKey, view, request)
      : { seq: afterSeq, task: await taskAt(app, view, afterSeq) };
  const news = view.projectedRevision > (request.afterRevision ?? 0);
  const over = first.seq === view.lastSeq && news && ends(view.state, request);
  const rest = over ? nothing() : events(app, runKey, first.seq, request, signal);
  return startingWith<Frame>({ kind: 'task', ...first }, rest);
}

interface First {
  readonly seq: number;
  readonly task: Task;
}

/**
 * A task that is larger than a stream may carry is not its first frame. A subscriber gets the task
 * as it began, without content, and then all its events; after a scrub those have no content any
 * more, while the task has what may be kept. A sender, who knows the task, gets it as it stands,
 * with a word that its content is left out.
 */
async function firstWithin(
  app: App,
  runKey: SealingKey,
  view: ViewDoc,
  request: StreamRequest,
): Promise<First> {
  const first = await firstFrame(app, runKey, view, request);
  const small = taskSize(first.task) <= app.settings.streamBytes || view.scrubbedRevision > 0;
  if (small) return first;
  if (request.until === 'terminal') return { seq: 0, task: await taskAt(app, view, 0) };
  const task = await taskAt(app, view, first.seq);
  return { seq: first.seq, task: { ...task, metadata: { contentTooLarge: true } } };
}

/**
 * The task that a stream begins with. A sender sees its new task as accepted and every event after
 * that, however quick the agent was; a subscriber sees the newest snapshot.
 */
async function firstFrame(
  app: App,
  runKey: SealingKey,
  view: ViewDoc,
  request: StreamRequest,
): Promise<First> {
  if (request.afterRevision !== 1 || view.lastSeq === 1) {
    return { seq: view.lastSeq, task: await unsealTask(app, runKey, view) };
  }
  // What comes after the message: its first state is the first event.
  return { seq: 1, task: await acceptedTask(app, runKey, view) };
}

async function* nothing(): AsyncGenerator<Frame> {
  // The task was all.
}

async function* events(
  app: App,
  opened: SealingKey,
  afterSeq: number,
  request: StreamRequest,
  signal: AbortSignal,
): AsyncGenerator<Frame> {
  let runKey = opened;
  const lasting = untilGone(app, opened.taskId, signal);
  try {
    const query = entriesAfter(opened.taskId, afterSeq);
    for await (const entries of app.store.follow(query, undefined, lasting.signal)) {
      runKey = await placeOfEntries(
        app,
        runKey,
        entries.map(({ value }) => value),
      );
      for (const { value } of entries) {
        for (const stored of await openEntry(app, runKey, value)) {
          // An entry holds several events; a resumed stream may begin in its middle.
          if (stored.seq <= afterSeq) continue;
          const event = { ...(await loadItem(app, runKey, stored)), seq: stored.seq };
          if (event.kind === 'message') continue;
          yield { kind: 'event', seq: stored.seq, event };
          if (stored.kind === 'status' && ends(stored.state, request)) return;
        }
      }
    }
  } finally {
    lasting.stop();
  }
}

/** What is no longer news may have been scrubbed since, and then the view has another key. */
const NEWS: Millis = 1_000;

/**
 * The key that unseals entries today: an old stream does not show content that was destroyed
 * meanwhile (G7).
 */
async function placeOfEntries(
  app: App,
  runKey: SealingKey,
  entries: readonly EntryDoc[],
): Promise<SealingKey> {
  const news = app.clock.now() - NEWS;
  if (entries.every((entry) => entry.epoch === runKey.scrubbedRevision && entry.at >= news)) {
    return runKey;
  }
  const view = await app.store.get(viewDoc(runKey.taskId));
  // Purged: nothing of it can be unsealed; its states are all that this stream still tells.
  if (view === undefined) return { ...runKey, scrubbedRevision: Number.POSITIVE_INFINITY };
  return view.scrubbedRevision === runKey.scrubbedRevision ? runKey : viewKeyOf(app, view);
}

/**
 * A sender's stream also ends where the client must speak; AUTH_REQUIRED keeps it open (A2A section
 * 7.6.1).
 */
function ends(state: string, request: StreamRequest): boolean {
  return isTerminal(state) || (request.until === 'settled' && state === 'INPUT_REQUIRED');
}
